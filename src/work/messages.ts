import { ArchiveError, type ErrorCode, type ExceededLimit, type Place } from '../base/errors.ts'

/** A message to the other side. */
export type Order =
  /** Run a program; with `credit` send as many pieces of its stream. */
  | {
      readonly id: number
      readonly run: string
      readonly input: unknown
      readonly credit?: number | undefined
    }
  | { readonly id: number; readonly credit: number }
  | { readonly id: number; readonly memory: ArrayBuffer }
  | { readonly id: number; readonly cancel: true }
  /** End, after what has been written. */
  | { readonly leave: true }

/** A message from the other side. The last one of a call has the result or the error. */
export type Reply =
  | { readonly id: number; readonly progress: unknown }
  | { readonly id: number; readonly piece: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: SentError }

/** An error as a message. */
export interface SentError {
  readonly message: string
  /** The name of a class in `CLASSES`; others cross as `Error`. */
  readonly type: string | undefined
  readonly code: string | undefined
  readonly stack: string | undefined
  readonly cause?: unknown
  readonly place?: Place
  readonly value?: string | undefined
  readonly meant?: string | undefined
  readonly limit?: ExceededLimit | undefined
  readonly advice?: string | undefined
}

type ArchiveErrorClass = new (...words: never[]) => ArchiveError

interface KnownClass {
  readonly type: ArchiveErrorClass
  readonly revive: (error: ArchiveError, advice: string | undefined) => ArchiveError
}

/** Errors that cross as what they are, the most special first. */
const CLASSES = new Map<string, KnownClass>([
  ['ArchiveError', { type: ArchiveError, revive: (error) => error }],
])

/** Lets errors of a class that extends `ArchiveError` cross as what they are. */
export function crossesAs(
  name: string,
  type: ArchiveErrorClass,
  revive: KnownClass['revive'],
): void {
  CLASSES.set(name, { type, revive })
}

/** Causes of causes that are sent. */
const DEEPEST = 5

/** An error as a message. Anything can be thrown. */
export function encodeError(error: unknown, depth = 0): SentError {
  if (!(error instanceof Error)) {
    return { message: String(error), type: undefined, code: undefined, stack: undefined }
  }
  const { message, stack, cause } = error
  const { code } = error as { code?: unknown }
  const type = [...CLASSES].find(([, known]) => error.constructor === known.type)?.[0]
  const sent: SentError = {
    message,
    stack,
    code: typeof code === 'string' ? code : undefined,
    type: type ?? (error instanceof ArchiveError ? 'ArchiveError' : undefined),
    ...(cause !== undefined && depth < DEEPEST && { cause: encodeError(cause, depth + 1) }),
  }
  if (!(error instanceof ArchiveError)) return sent
  const { place, value, meant, limit } = error
  return { ...sent, place, value, meant, limit, advice: (error as { advice?: string }).advice }
}

/** The error of a message. One of no known class is a bug, with the stack of the other side. */
export function decodeError(sent: SentError): Error {
  const { message, stack, code, type } = sent
  const cause = sent.cause === undefined ? undefined : decodeError(sent.cause as SentError)
  const known = type === undefined ? undefined : CLASSES.get(type)
  if (type !== undefined) {
    const { place, value, meant, limit, advice } = sent
    const facts = { value, meant, limit }
    const error = new ArchiveError(code as ErrorCode, message, place, cause, facts)
    return known?.revive(error, advice) ?? error
  }
  const error = new Error(message, cause && { cause })
  return Object.assign(error, stack !== undefined && { stack }, code !== undefined && { code })
}
