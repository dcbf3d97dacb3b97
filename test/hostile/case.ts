/** A hostile archive, and what becomes of it: read, read with problems that are reported, or refused. */

import type { ErrorCode, ProblemCode } from '../../src/base/errors.ts'
import { type Files, tarGzOf } from '../support/build-tar.ts'

export type Verdict = 'read' | { reported: readonly ProblemCode[] } | { refused: ErrorCode }

export interface HostileCase {
  /** Of the list of codes in codes.ts. */
  code: string
  name: string
  archive: Buffer
  verdict: Verdict
  /** Limits as they are typed. */
  options?: readonly string[]
  /** The JSON of entries, which is the same after they were loaded, but for white space. */
  keeps?: readonly { entry: string; json: string }[]
}

export const reported = (...codes: ProblemCode[]): Verdict => ({ reported: codes })

export const refused = (code: ErrorCode): Verdict => ({ refused: code })

/** One file of records, given as its text or bytes, and schema.json. */
export const recordsCase = (
  code: string,
  name: string,
  json: string | Buffer,
  verdict: Verdict,
  { entry = 'issues_000001.json', options = [] as string[], exact = verdict === 'read' } = {},
): HostileCase => ({
  code,
  name,
  verdict,
  options,
  archive: tarGzOf({ 'schema.json': '{"version":"1.0.1"}', [entry]: json }),
  ...(exact && { keeps: [{ entry, json: json.toString() }] }),
})

/** Several files. */
export const filesCase = (
  code: string,
  name: string,
  files: Files,
  verdict: Verdict,
): HostileCase => ({ code, name, verdict, archive: tarGzOf(files) })
