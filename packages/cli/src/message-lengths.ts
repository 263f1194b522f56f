import { Transform, type TransformCallback } from 'node:stream';

/** The maximum number of bytes of a message: more than any text that an editor holds. */
const longestMessage = 1 << 28;
/** The maximum number of bytes of the header of a message. */
const longestHeader = 1 << 14;

const endOfHeader = '\r\n\r\n';

/** Returns the complaint about a header of a message; `undefined` for a good one. */
function complaintAbout(header: string): string | undefined {
  const lengths = [...header.matchAll(/^content-length:(.*)$/gim)].map(([, text = '']) =>
    text.trim(),
  );
  const [length] = lengths;
  if (length === undefined || lengths.length > 1)
    return `its header has ${lengths.length === 0 ? 'no' : 'more than one'} Content-Length`;
  if (!/^[0-9]+$/.test(length)) return `its Content-Length is no length: ${length.slice(0, 40)}`;
  return Number(length) > longestMessage
    ? `its Content-Length is more than ${longestMessage}: ${length.slice(0, 40)}`
    : undefined;
}

/**
 * Passes on the messages of an editor unchanged; each is a header and a content. If the header does
 * not tell the length of its content, the start of the next message is unknown: the class then
 * calls `refuse` with the complaint, and passes on nothing more.
 */
export class MessageLengths extends Transform {
  /** The bytes of a header whose end has not come yet, as Latin-1. */
  #header = '';
  /** The number of bytes of the current content that are still to come. */
  #left = 0;
  #isRefused = false;

  constructor(readonly refuse: (complaint: string) => void) {
    super();
  }

  override _transform(part: Buffer, _encoding: string, done: TransformCallback): void {
    for (let at = 0; at < part.length && !this.#isRefused;) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, part.length - at);
        this.#left -= taken;
        at += taken;
        continue;
      }
      const before = this.#header.length;
      this.#header += part.toString('latin1', at, at + longestHeader);
      const end = this.#header.indexOf(endOfHeader, Math.max(0, before - endOfHeader.length));
      if (end < 0) {
        at = part.length;
        if (this.#header.length >= longestHeader) this.#refuse('its header does not end');
        continue;
      }
      at += end + endOfHeader.length - before;
      const header = this.#header.slice(0, end);
      this.#header = '';
      const complaint = complaintAbout(header);
      if (complaint !== undefined) this.#refuse(complaint);
      else this.#left = Number(/^content-length:\s*(\d+)/im.exec(header)?.[1]);
    }
    done(null, this.#isRefused ? undefined : part);
  }

  #refuse(complaint: string): void {
    this.#isRefused = true;
    this.refuse(complaint);
  }
}
