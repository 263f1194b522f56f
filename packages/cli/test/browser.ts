import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

const arguments_ = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The name of the command that starts Chromium on this machine. */
export const chromiumName =
  ['chromium', 'chromium-browser', 'google-chrome'].find(
    (name) => spawnSync(name, ['--version'], { timeout: 20_000 }).status === 0,
  ) ?? 'chromium';

/** Starts Chromium. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = spawnSync('which', [chromiumName], { encoding: 'utf8' }).stdout.trim();
  return chromium.launch({ executablePath, args: arguments_ });
}

/**
 * A script for a page: returns the texts whose contrast is below the minimum of WCAG 2.1, level AA,
 * with their contrasts. The background of a text is that of the nearest ancestor that is not
 * transparent; in an SVG, the fill of the shape before the text.
 */
export const lowContrast = `(() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const channel = (value) => {
    const v = value / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ratio = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const isOpaque = (colour) => colour.length >= 3 && (colour[3] ?? 1) === 1;
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const shape = at.tagName === 'g' ? at.querySelector('rect') : null;
      if (shape) return parse(getComputedStyle(shape).fill);
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (isOpaque(colour)) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !element || ['SCRIPT', 'STYLE', 'title'].includes(element.tagName)) continue;
    if (!element.checkVisibility()) continue;
    seen++;
    const style = getComputedStyle(element);
    const colour = parse(element instanceof SVGElement ? style.fill : style.color);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const found = ratio(colour, background(element));
    if (found < (isLarge ? 3 : 4.5)) poor.push(node.textContent.trim() + ' ' + found.toFixed(2));
  }
  return seen < 20 ? ['too few texts were looked at'] : poor;
})()`;
