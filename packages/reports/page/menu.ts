// The script of the menu of executions on a page of `explain`: puts the chosen execution in the
// place of the shown one. The script stands between the execution that the page begins with and the
// script of the stage (page.ts), which runs anew for each execution.
export {};

const menu = document.querySelector<HTMLSelectElement>('#attack')!;
const shown = document.querySelector('#shown')!;
const back = document.querySelector<HTMLButtonElement>('#attack-back')!;
const forth = document.querySelector<HTMLButtonElement>('#attack-forth')!;

const first = document.createElement('template');
first.content.append(...[...shown.childNodes].map((node) => node.cloneNode(true)));
const others = document.querySelectorAll<HTMLTemplateElement>('template.attack');
/** The executions of the page, in the order of the menu. */
const executions = [first, ...others];

function put(): void {
  const { selectedIndex } = menu;
  shown.replaceChildren(executions[selectedIndex]!.content.cloneNode(true));
}

function mark(): void {
  back.setAttribute('aria-disabled', String(menu.selectedIndex === 0));
  forth.setAttribute('aria-disabled', String(menu.selectedIndex === executions.length - 1));
}

/** Runs the page's script for the shown execution again, as its content has changed. */
function restart(): void {
  const script = document.createElement('script');
  script.textContent = document.querySelector('#stage-script')!.textContent;
  shown.append(script);
}

function change(): void {
  document.dispatchEvent(new Event('leave-stage'));
  try {
    history.replaceState(null, '', '#');
  } catch {
    // Some viewers show pages without an address.
  }
  put();
  mark();
  restart();
}

function go(by: number): void {
  const next = menu.selectedIndex + by;
  if (next < 0 || next >= executions.length) return;
  menu.selectedIndex = next;
  change();
}

menu.addEventListener('change', change);
back.addEventListener('click', () => go(-1));
forth.addEventListener('click', () => go(1));

document.querySelector<HTMLElement>('#attacks')!.hidden = false;
// A browser may have kept what was chosen before.
const asked = Number(/^#attack-(\d+)/.exec(location.hash)?.[1] ?? 1);
menu.selectedIndex = executions[asked - 1] ? asked - 1 : 0;
if (menu.selectedIndex > 0) put();
mark();
