import type { Answer, Exercise } from '../packages/web/src/judge.js';
import type { WebFormat } from '../packages/web/src/messages.js';

export type LessonPart =
  | { readonly kind: 'html'; readonly html: string }
  | {
      readonly kind: 'program';
      readonly format: WebFormat;
      readonly text: string;
      readonly claims: readonly string[];
      /** The view shown first. */
      readonly view?: string | undefined;
    }
  /** A file of the repository. */
  | { readonly kind: 'file'; readonly name: string; readonly claims: readonly string[] }
  | {
      readonly kind: 'exercise';
      readonly title: string;
      readonly task: Exercise;
      readonly expected: Answer;
      readonly wrong: readonly string[];
    };

export interface Lesson {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly LessonPart[];
}

export function readLessons(): Promise<readonly Lesson[]>;
export function lessonPages(policy: string): Promise<ReadonlyMap<string, string>>;
