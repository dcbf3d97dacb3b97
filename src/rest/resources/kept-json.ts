import { Memo } from '../../reading/remembered.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import type { Rendering } from './rendering.ts'

/** A part that many resources have: a person, a label or a milestone. Resources are kept without it, and it is kept once. */
export interface SharedPart {
  /** No other part of a library has it. */
  readonly name: string
  describe(rendering: Rendering): JsonObject
}

/** The part as a member of a resource. It is described when it is printed, and not at all in a resource that is kept. */
export const toMember = (rendering: Rendering, part: SharedPart): JsonValue =>
  new Member(rendering, part) as unknown as JsonValue

class Member {
  readonly #rendering: Rendering
  readonly #part: SharedPart

  constructor(rendering: Rendering, part: SharedPart) {
    this.#rendering = rendering
    this.#part = part
  }

  toJSON(): JsonObject | typeof PLACE {
    if (!left) return describePart(this.#rendering, this.#part)
    left.push(this.#part)
    return PLACE
  }
}

/** Stands for a part: JSON has such a character only as an escape. */
const PLACE = '\0'

/** The same as JSON prints it. */
const PRINTED = JSON.stringify(PLACE)

/** The parts that were left out of the object that is being printed to be kept. */
let left: SharedPart[] | undefined

/** The part as it was described before, or is described now. */
export const describePart = (rendering: Rendering, part: SharedPart): JsonObject =>
  rendering.reader.library.remember(DESCRIBED, `${rendering.base} ${part.name}`, () =>
    part.describe(rendering),
  )

const DESCRIBED = new Memo<JsonObject>((value) => 3 * JSON.stringify(value).length)

/**
 * An object as JSON, to be kept without its shared parts: a person has 1 KB, and without people, labels and a milestone an issue
 * has 1.5 and an event less than one.
 */
export interface KeptJson {
  /** The JSON in UTF-8, a character for each byte, with `PLACE` for each part. */
  readonly text: string
  readonly parts: readonly SharedPart[]
}

/** Prints an object to be kept. */
export function keepJson(value: JsonObject): KeptJson {
  const parts: SharedPart[] = []
  left = parts
  let pieces: string[]
  try {
    pieces = JSON.stringify(value).split(PRINTED)
  } finally {
    left = undefined
  }
  const isClear = pieces.length === parts.length + 1
  if (isClear) return { text: toBytes(pieces.join(PLACE)), parts }
  // A text of an archive is that character alone.
  return { text: toBytes(JSON.stringify(value)), parts: [] }
}

/** The JSON of the object with its parts, in UTF-8, a character for each byte. */
export function wholeJson(rendering: Rendering, { text, parts }: KeptJson): string {
  const [first = '', ...pieces] = text.split(PLACE)
  return pieces.reduce(
    (whole, piece, i) => whole + partJson(rendering, parts[i] as SharedPart) + piece,
    first,
  )
}

const partJson = (rendering: Rendering, part: SharedPart): string =>
  rendering.reader.library.remember(PART_JSON, `${rendering.base} ${part.name}`, () =>
    toBytes(JSON.stringify(part.describe(rendering))),
  )

const PART_JSON = new Memo<string>(({ length }) => length)

/** Bytes of memory that a kept object takes. */
export const sizeOfKept = ({ text, parts }: KeptJson): number => text.length + 20 * parts.length

/** A text in UTF-8, a character for each byte: V8 takes two bytes for each character if one is not Latin-1. */
const toBytes = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString('latin1') : text

/** The bytes of such a text. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')
