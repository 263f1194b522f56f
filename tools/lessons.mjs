// Reads the lessons of the tutorial, written in Markdown, and makes pages of the lessons. Some
// blocks of code in a lesson have a meaning, see docs/playground.md.
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { Marked } from 'marked';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'packages/web/lessons');

const formats = { fw: 'native', litmus: 'litmus' };

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escape = (text) => text.replaceAll(/[&<>"]/g, (character) => escapes[character]);

const linesOf = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const arrow = ' => ';

/** Returns claim and words of a line `claim => words`. */
function pairOf(line) {
  const at = line.indexOf(arrow);
  if (at < 0) throw new Error(`no "=>" in: ${line}`);
  return [line.slice(0, at).trim(), line.slice(at + arrow.length).trim()];
}

export const markdown = new Marked({
  renderer: {
    // Whoever has no mouse scrolls wide text by the arrow keys.
    code: ({ text }) => `<pre tabindex="0"><code>${escape(text)}\n</code></pre>\n`,
  },
});
export const inline = (text) => markdown.parseInline(text);

/** Collects the contents of the blocks of an exercise. */
class ExerciseBlocks {
  format = 'native';
  start = undefined;
  solution = undefined;
  wrong = [];
  conditions = [];
  options = [];

  constructor(title) {
    this.title = title;
  }

  take(language, role, text) {
    if (role === 'start') [this.format, this.start] = [formats[language], `${text}\n`];
    else if (role === 'solution') this.solution = `${text}\n`;
    else if (role === 'wrong') this.wrong.push(`${text}\n`);
    else if (language === 'conditions')
      this.conditions = linesOf(text).map((line) => {
        const [claim, otherwise] = pairOf(line);
        return { claim, otherwise };
      });
    else if (language === 'options')
      this.options = linesOf(text).map((line) => {
        const [mark, rest] = [line.slice(0, 3), line.slice(4)];
        if (mark !== '[x]' && mark !== '[ ]') throw new Error(`no box: ${line}`);
        const [claim, label] = pairOf(rest);
        return { claim, label, isTrue: mark === '[x]' };
      });
    else throw new Error(`a block of no meaning in an exercise: ${language} ${role}`);
  }

  finish() {
    const { title, format, start, solution, wrong, conditions, options } = this;
    if (start === undefined) throw new Error(`${title}: nothing to start with`);
    if (options.length > 0)
      return {
        title,
        expected: options.flatMap(({ isTrue }, option) => (isTrue ? [option] : [])),
        wrong: [],
        task: {
          kind: 'choice',
          ...{ format, program: start },
          options: options.map(({ claim, label }) => ({ claim, label })),
        },
      };
    if (solution === undefined) throw new Error(`${title}: no solution`);
    const compares = conditions.some(({ claim }) => claim === 'same accesses');
    return {
      title,
      ...{ expected: solution, wrong },
      task: {
        kind: 'change',
        ...{ format, start, conditions },
        ...(compares && { reference: solution }),
      },
    };
  }
}

/**
 * Returns the view of the page that is shown first, if the header of a block names it:
 * `view=execution`.
 */
function viewIn(id, [role]) {
  if (role === undefined) return undefined;
  const [, view] = /^view=(text|verdict|execution|states|fences|report)$/.exec(role) ?? [];
  if (view === undefined) throw new Error(`${id}: no view: ${role}`);
  return view;
}

/**
 * Returns the parts of a lesson, in order: HTML, programs with claims, files of the repository,
 * exercises.
 */
function readLesson(id, text) {
  const parts = [];
  let title = '';
  let exercise;
  const endExercise = () => {
    if (!exercise) return;
    parts.push({ kind: 'exercise', ...exercise.finish() });
    exercise = undefined;
  };
  for (const token of markdown.lexer(text)) {
    if (token.type === 'space') continue;
    if (token.type === 'heading' && token.depth === 1) {
      title = token.text;
      continue;
    }
    if (token.type === 'heading' && token.depth === 2) endExercise();
    const begun = token.type === 'heading' ? /^Exercise: (.+)$/.exec(token.text) : null;
    if (begun) {
      exercise = new ExerciseBlocks(begun[1]);
      parts.push({ kind: 'html', html: `<h2>${inline(token.text)}</h2>\n` });
      continue;
    }
    const [language = '', ...roles] = token.type === 'code' ? (token.lang ?? '').split(' ') : [];
    if (exercise && token.type === 'code' && language !== 'text') {
      exercise.take(language, roles.join(' '), token.text);
      continue;
    }
    if (language === 'claims') {
      const last = parts.at(-1);
      if (last?.kind !== 'program' && last?.kind !== 'file') throw new Error(`${id}: of what?`);
      last.claims = linesOf(token.text);
    } else if (language in formats)
      parts.push({
        ...{ kind: 'program', format: formats[language], text: `${token.text}\n`, claims: [] },
        view: viewIn(id, roles),
      });
    else if (language === 'file') parts.push({ kind: 'file', name: roles[0], claims: [] });
    else parts.push({ kind: 'html', html: markdown.parser([token]) });
  }
  endExercise();
  return { id, title, parts };
}

/** Returns all lessons, in order. */
export async function readLessons() {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const id = path.basename(name, '.md');
      return readLesson(id, await readFile(path.join(folder, name), 'utf8'));
    }),
  );
}

const button = (classes, words) => `<button type="button" class="${classes}">${words}</button>`;

function programPart({ format, text, view }) {
  const name = /^program (\S+)/m.exec(text)?.[1] ?? 'a test';
  const wishes = [
    `aria-label="Program ${escape(name)}"`,
    ...(format === 'native' ? [] : [`format="${format}"`]),
    ...(view === undefined ? [] : [`view="${view}"`]),
  ];
  return `<fencewright-program ${wishes.join(' ')}><pre tabindex="0">\n${escape(text)}</pre></fencewright-program>\n`;
}

async function filePart({ name }) {
  const text = await readFile(path.join(root, name), 'utf8');
  return `<figure><figcaption>${escape(name)}</figcaption><pre tabindex="0">\n${escape(text)}</pre></figure>\n`;
}

function exercisePart(id, number, { title, task, expected }) {
  const key = `${id}/${number}`;
  const given = task.kind === 'choice' ? task.program : task.start;
  const choices =
    task.kind === 'choice'
      ? `<fieldset><legend>Tick all that are true</legend>\n${task.options
          .map(
            ({ label }, i) =>
              `<label><input type="checkbox" value="${i}"><span>${inline(label)}</span></label>\n`,
          )
          .join('')}</fieldset>\n`
      : '';
  const solution =
    task.kind === 'choice'
      ? `<ul>${expected.map((option) => `<li>${inline(task.options[option].label)}</li>`).join('')}</ul>`
      : `<pre tabindex="0">\n${escape(expected)}</pre>`;
  // The data must not end the script element.
  const data = JSON.stringify({ key, task }).replaceAll('<', '\\u003c');
  return `<section class="exercise" aria-label="Exercise: ${escape(title)}">
<pre class="given" tabindex="0">
${escape(given)}</pre>
${choices}<p class="buttons">${button('main check', 'Check my answer')}${button('again', 'Start again')}</p>
<div class="said" role="status"></div>
<div class="shown"></div>
<details><summary>A solution</summary>${solution}</details>
<script type="application/json">${data}</script>
</section>
`;
}

async function bodyOf({ id, parts }) {
  let exercises = 0;
  const made = [];
  for (const part of parts)
    if (part.kind === 'html') made.push(part.html);
    else if (part.kind === 'program') made.push(programPart(part));
    else if (part.kind === 'file') made.push(await filePart(part));
    else made.push(exercisePart(id, ++exercises, part));
  return made.join('');
}

/** A page of the site, around its main part; `kind` is a class of `main`. */
export const page = (title, body, policy, kind = '') => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="lesson.css">
<script src="fencewright-program.js" defer></script>
<script type="module" src="lesson.js"></script>
</head>
<body>
<header><a class="home" href="tutorial.html"><span class="wall" aria-hidden="true"></span>Fencewright</a><nav aria-label="Site"><a href="tutorial.html">Tutorial</a><a href="atlas.html">Atlas</a><a href="./">Playground</a></nav></header>
<main${kind === '' ? '' : ` class="${kind}"`}>
${body}</main>
</body>
</html>
`;

const nameOf = ({ id }) => `lesson-${id}.html`;

function wayOn(lessons, i) {
  const link = (lesson, words) =>
    lesson ? `<a href="${nameOf(lesson)}">${words}: ${inline(lesson.title)}</a>` : '';
  return `<nav class="way" aria-label="Lessons">${link(lessons[i - 1], 'Before')}${link(lessons[i + 1], 'Next')}</nav>\n`;
}

/** Returns the pages of the tutorial, by name. */
export async function lessonPages(policy) {
  const lessons = await readLessons();
  const pages = new Map();
  for (const [i, lesson] of lessons.entries()) {
    const head = `<p class="number">Lesson ${i + 1} of ${lessons.length}</p>\n<h1>${inline(lesson.title)}</h1>\n`;
    const body = head + (await bodyOf(lesson)) + wayOn(lessons, i);
    pages.set(nameOf(lesson), page(`${lesson.title} - Fencewright tutorial`, body, policy));
  }
  const items = lessons.map((lesson) => {
    const exercises = lesson.parts.filter(({ kind }) => kind === 'exercise').length;
    return `<li data-lesson="${lesson.id}" data-exercises="${exercises}"><a href="${nameOf(lesson)}">${inline(lesson.title)}</a> <span class="done"></span></li>\n`;
  });
  const index = `<h1>Store buffers, in ${lessons.length} lessons</h1>
<p>What x86 does to programs without locks, and what to do about it. Each lesson takes some ten
minutes and ends with an exercise that the engines judge, here in the page. Nothing is sent
anywhere; which exercises are done is kept in this browser.</p>
<p id="onward"></p>
<ol class="lessons">
${items.join('')}</ol>
`;
  pages.set('tutorial.html', page('Fencewright tutorial', index, policy));
  return pages;
}
