import { execFileSync } from 'node:child_process';
import { test } from 'vitest';
import { armExecutions, type Instruction, type Operand } from '/work/trees/arm/packages/engines/test/c11/armv8-judge.js';
const repo = '/work/.mirror/herd+herdtools7/repo';
const git = (...a: string[]) => execFileSync('git', ['-C', repo, ...a], { encoding: 'utf8', maxBuffer: 1e8 });
const reg = (s: string): Operand => { s = s.trim(); if (s.startsWith('#')) return Number(s.slice(1)); if (/ZR$/.test(s)) return 0; if (!/^[WX]\d+$/.test(s)) throw 'reg '+s; return 'R' + s.slice(1); };
function parse(text: string) {
  const init = text.slice(text.indexOf('{')+1, text.indexOf('}'));
  const ptr = new Map<string,string>(); const initial: Record<string,number> = {}; const rinit = new Map<string,number>();
  for (let one of init.split(/[;\n]/)) { one = one.trim().replace(/^(u?int\d*_t|int)\s+/,''); if (!one || one.startsWith('(*')) continue;
    let m; if ((m=/^(\d+):\s*([WX]\d+)\s*=\s*([a-z]\w*)$/.exec(one))) ptr.set(m[1]+':R'+m[2]!.slice(1), m[3]!);
    else if ((m=/^(\d+):\s*([WX]\d+)\s*=\s*(\d+)$/.exec(one))) rinit.set(m[1]+':R'+m[2]!.slice(1), Number(m[3]));
    else if ((m=/^\[?(\w+)\]?\s*=\s*(\d+)$/.exec(one))) initial[m[1]!] = Number(m[2]);
    else if (/^(u?int\w*\s+)?\w+$/.test(one)) continue;
    else throw 'init ' + one; }
  const rows = text.slice(text.indexOf('}')+1).split(';').map(l => l.trim()).filter(l => l && !/^(exists|~exists|forall|locations)/.test(l));
  const cols: string[][] = [];
  for (const row of rows.slice(1)) row.split('|').forEach((c, i) => (cols[i] ??= []).push(c.trim()));
  const threads = cols.map((lines, t) => {
    const cmp: { v?: [Operand, Operand] } = {};
    const ptrs = new Map([...ptr].filter(([k]) => k.startsWith(t+':')).map(([k,v]) => [k.split(':')[1]!, {cell: v} as {cell:string,index?:string}]));
    const pre: Instruction[] = [...rinit].filter(([k]) => k.startsWith(t+':')).map(([k,v]) => ({ op:'add', to:k.split(':')[1]!, of:[v,0] }));
    const addr = (s: string) => { const m = /^\[\s*([WX]\d+)\s*(?:,\s*([WX]\d+)\s*(?:,\s*(SXTW|UXTW)\s*(#\d)?)?)?\s*\]$/.exec(s.trim()); if (!m) throw 'addr '+s; const b = ptrs.get('R'+m[1]!.slice(1)); if (!b) throw 'ptr '+s; if (m[2] && b.index) throw 'idx'; return m[2] ? { cell: b.cell, index: 'R'+m[2].slice(1) } : b; };
    const go = (i: number): Instruction[] => {
      if (i >= lines.length) return [];
      let l = lines[i]!.replace(/^\w+:\s*/, '').trim(); if (!l) return go(i+1);
      const m = /^(\S+)\s*(.*)$/.exec(l)!; const op = m[1]!.toUpperCase();
      const args = (m[2]!.match(/\s*\[[^\]]*\]|[^,]+/g) ?? []).map(s => s.trim()).filter(Boolean);
      const label = (name: string) => { const k = lines.findIndex(x => x.startsWith(name + ':')); if (k <= i) throw 'back'; return go(k); };
      const to = () => reg(args[0]!) as string;
      if (op === 'MOV') return [{ op:'add', to: to(), of:[reg(args[1]!), 0] }, ...go(i+1)];
      let mm;
      if ((mm = /^LD(A|AP)?(X)?R$/.exec(op))) return [{ op:'ldr', to: to() || 'zr', at: addr(args[1]!), order: mm[1]==='A'?'A':mm[1]==='AP'?'Q':undefined, exclusive: !!mm[2] }, ...go(i+1)];
      if ((mm = /^ST(L)?R$/.exec(op))) return [{ op:'str', value: reg(args[0]!), at: addr(args[1]!), order: mm[1] ? 'L':undefined }, ...go(i+1)];
      if ((mm = /^ST(L)?XR$/.exec(op))) return [{ op:'str', value: reg(args[1]!), at: addr(args[2]!), order: mm[1] ? 'L':undefined, exclusive: true }, {op:'add',to:to(),of:[0,0]}, ...go(i+1)];
      if ((mm = /^(SWP|LDADD|CAS)(A)?(L)?$/.exec(op))) { if (/ZR/.test(args[0]!) && mm[1]==='CAS' || /ZR/.test(args[1]!)&& mm[1]!=='CAS') throw 'noret';
        if (mm[1]==='CAS') return [{ op:'cas', to: to(), expected: to(), value: reg(args[1]!), at: addr(args[2]!), acquires: !!mm[2], releases: !!mm[3] }, ...go(i+1)];
        return [{ op: mm[1]==='SWP'?'swp':'ldadd', value: reg(args[0]!), to: reg(args[1]!) as string, at: addr(args[2]!), acquires: !!mm[2], releases: !!mm[3] }, ...go(i+1)]; }
      if (op === 'DMB') return [{ op:'dmb', kind: /LD/.test(args[0]!)?'ld':/ST/.test(args[0]!)?'st':'full' }, ...go(i+1)];
      if (op === 'EOR' || op === 'ADD' || op === 'SUB') { 
        const d = to(); const p = op==='ADD' && ptrs.get(reg(args[1]!) as string);
        if (p) { if (p.index) throw 'pp'; ptrs.set(d, { cell: p.cell, index: reg(args[2]!) as string }); return go(i+1); }
        if (args.length > 3) throw 'shift'; return [{ op: op.toLowerCase() as 'eor', to: d, of:[reg(args[1]!), reg(args[2]!)] }, ...go(i+1)]; }
      if (op === 'CBNZ' || op === 'CBZ') { const tgt = label(args[1]!), next = go(i+1); const c: [Operand,Operand] = [reg(args[0]!), 0];
        return [op==='CBZ' ? { op:'if', equal:c, then: tgt, else: next } : { op:'if', equal:c, then: next, else: tgt }]; }
      if (op === 'CMP') { cmp.v = [reg(args[0]!), reg(args[1]!)]; return go(i+1); }
      if (op === 'B.NE' || op === 'B.EQ') { const c = cmp.v!; const tgt = label(args[0]!), next = go(i+1);
        return [op==='B.EQ' ? { op:'if', equal:c, then: tgt, else: next } : { op:'if', equal:c, then: next, else: tgt }]; }
      throw 'op ' + op;
    };
    return [...pre, ...go(0)];
  });
  const q = /(~?exists|forall)\s*([\s\S]*)$/.exec(text)!; if (q[1] === 'forall') throw 'forall';
  const js = q[2]!.replace(/\(\*.*?\*\)/g,'').replace(/\/\\/g,'&&').replace(/\\\//g,'||').replace(/(\d+):\s*[WX](\d+)\s*=\s*(\d+)/g, '(r($1,"R$2")===$3)').replace(/\[(\w+)\]\s*=\s*(\d+)/g,'(m("$1")===$2)').replace(/(?<![\w"(])([a-z]\w*)\s*=\s*(\d+)/g,'(m("$1")===$2)').replace(/(?<=\()([a-z])=(\d+)/g,'(m("$1")===$2)').replace(/not/g,'!');
  return { program: { threads, initial }, js };
}
test('catalogue', () => {
  const skipped: Record<string, number> = {}; let right = 0; const wrong: string[] = [], names: string[] = [];
  for (const [dir, kinds] of [['aarch64','kinds.txt'],['aarch64-cas','kinds.txt'],['aarch64-readers-guide','kinds.txt'],['aarch64-pick','kinds.txt'],['aarch64-down-one-leg','down-one-leg-kinds.txt']] as const) {
    const verdicts = new Map(git('show', `HEAD:catalogue/${dir}/tests/${kinds}`).split('\n').map(l => l.trim().split(/\s+/) as [string,string]));
    for (const file of git('ls-tree','-r','--name-only','HEAD',`catalogue/${dir}/tests`).split('\n').filter(f => f.endsWith('.litmus'))) {
      const text = git('show', 'HEAD:'+file).replace(/\(\*[\s\S]*?\*\)/g,''); const name = text.split('\n')[0]!.split(' ')[1]?.trim() ?? '';
      const verdict = verdicts.get(name) ?? verdicts.get(file.split('/').at(-1)!.replace('.litmus','')); if (!verdict) { skipped['no verdict'] = (skipped['no verdict']??0)+1; continue; }
      try {
        const { program, js } = parse(text);
        const all = armExecutions(program)!;
        const f = new Function('r','m',`return ${js};`);
        const seen = all.some(e => f((t:number,n:string)=>e.registers[t]![n] ?? 0, (c:string)=>Number(new RegExp(`\\b${c}=(-?\\d+)`).exec(e.memory)?.[1] ?? 0)));
        if ((verdict.startsWith('Allow')) === seen) { right++; names.push(name+' '+verdict); } else wrong.push(`${file} ${verdict} seen ${seen} of ${all.length} ${js}`);
      } catch (e) { const k = String(e).slice(0,40); skipped[k] = (skipped[k] ?? 0)+1; }
    }
  }
   console.log({ right, wrong, skipped });
});
