import type { SeededRandom } from '@fencewright/ground/base/random.js';

const strays =
  "? $ ' ; { } ( ) [ ] = == <- 5 x 0x : @ . , & /* goto thread end if else lock event var local in init ==>".split(
    ' ',
  );

/** Tokens, blanks and comments of a text, roughly. */
function piecesOf(text: string): string[] {
  return (
    text.match(
      /\s+|\/\/[^\n\r]*|\/\*[^]*?\*\/|[\w'′]+|<-|==>|==|&&|\|\||\.\.|<=|>=|!=|<<|>>|[^]/g,
    ) ?? []
  );
}

/**
 * Returns the text after one to three random edits, each of which removes, doubles, exchanges,
 * inserts or replaces a token.
 */
export function damagedTokens(text: string, random: SeededRandom): string {
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const pieces = piecesOf(text);
  for (let times = 1 + Math.max(0, random.below(6) - 3); times > 0; times--) {
    const solid = pieces.flatMap((piece, i) => (/^\s/.test(piece) ? [] : [i]));
    if (solid.length === 0) break;
    const [at, other] = [one(solid), one(solid)];
    const [piece, second] = [pieces[at]!, pieces[other]!];
    switch (random.below(5)) {
      case 0:
        pieces[at] = '';
        break;
      case 1:
        pieces[at] = `${piece} ${piece}`;
        break;
      case 2:
        pieces[at] = second;
        pieces[other] = piece;
        break;
      case 3:
        pieces[at] = one(strays) + one(['', ' ']) + piece;
        break;
      default:
        pieces[at] = one(strays);
    }
  }
  return pieces.join('');
}
