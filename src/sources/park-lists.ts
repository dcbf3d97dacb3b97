import type { ArchiveEntry } from '../archive/entry.ts'
import { ArchiveError, type Place } from '../base/errors.ts'
import { resolveLimits } from '../base/limits.ts'
import { openStore } from '../files/open-store.ts'
import { ByteWindow } from '../records/json/byte-window.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import { isSpace, scanElement, startScan } from '../records/json/scan-element.ts'
import { damagedJson, mostBytes, parseJson, reportLoss } from './read-json.ts'
import type { SourceReading } from './source.ts'

/** A list of a JSON object, whose elements are in a temporary file. */
export interface ParkedList {
  readonly length: number
  get(index: number): JsonValue
}

/** A JSON object of lists that may be larger than memory. */
export interface ParkedLists {
  /** Its members without the lists. */
  readonly rest: JsonObject
  readonly lists: ReadonlyMap<string, ParkedList>
  close(): void
}

export interface ParkOptions {
  /** Whether a member is a list to be parked, if its value is a list at all. */
  isParked(name: string): boolean
  /** Called with each element of such a list, in the order of the file. */
  visit(list: string, element: JsonValue, index: number): void
  /** Makes the JSON that is kept of an element. Default: all of it. */
  cut?(json: Buffer): Buffer
}

/**
 * Reads a file with one JSON object, element by element of its lists. They are read again by `get`, until `close`. With
 * `salvage` it is read up to a damage.
 *
 * @returns the lists; undefined if the file holds something else
 * @throws `json-damaged`, `limit-record` for an element or another member, `limit-depth`, and `output-full` for the temporary file
 */
export async function parkLists(
  entry: ArchiveEntry,
  reading: Pick<SourceReading, 'limits' | 'report' | 'salvage'>,
  { isParked, visit, cut = (json) => json }: ParkOptions,
): Promise<ParkedLists | undefined> {
  const place = { entry: entry.path }
  const parse = (json: Buffer) =>
    parseJson(json, place, { ...reading, salvage: false }) as JsonValue
  const store = openStore()
  const parser = new Parser(new ByteWindow(entry.content), place, resolveLimits(reading.limits))
  const rest: [string, JsonValue][] = []
  const lists = new Map<string, ParkedList>()
  const park = async (name: string) => {
    const first = store.length
    try {
      for await (const json of parser.elements()) {
        const kept = cut(json)
        visit(name, parse(kept), store.length - first)
        store.add(kept)
      }
    } finally {
      const length = store.length - first
      const read = store.reader()
      lists.set(name, { length, get: (index) => parse(read(first + index)) })
    }
  }
  const parkAll = async () => {
    while (await parser.hasAnother('}')) {
      const name = parse(await parser.name()) as string
      if (isParked(name) && (await parser.opens('['))) await park(name)
      else rest.push([name, parse(await parser.value())])
    }
    await parser.end()
  }
  try {
    if (!(await parser.opens('{'))) return undefined
    await parkAll().catch((error) => reportLoss(error, place, reading))
    return { rest: Object.fromEntries(rest), lists, close: store.close }
  } catch (error) {
    store.close()
    throw error
  } finally {
    await parser.close()
  }
}

/** Takes the values of a JSON object from a file. Each is valid JSON only if it can be parsed. */
class Parser {
  readonly #window: ByteWindow
  readonly #place: Place
  readonly #limits: { depth: number; record: number }
  #isFirst = true

  constructor(window: ByteWindow, place: Place, limits: { depth: number; record: number }) {
    this.#window = window
    this.#place = place
    this.#limits = limits
  }

  /** Moves past the bracket that is expected; false if there is something else. */
  async opens(bracket: '{' | '['): Promise<boolean> {
    if ((await this.#peek()) !== bracket) return false
    this.#window.drop(1)
    this.#isFirst = true
    return true
  }

  /** Whether another part follows, after a comma but for the first; moves past the closing bracket otherwise. */
  async hasAnother(closing: '}' | ']'): Promise<boolean> {
    const found = await this.#peek()
    if (found === closing) {
      this.#window.drop(1)
      this.#isFirst = false
      return false
    }
    if (!this.#isFirst) {
      if (found !== ',') throw this.#damaged(`expected a comma or ${closing}`)
      this.#window.drop(1)
      await this.#peek()
    }
    this.#isFirst = false
    return true
  }

  /** The elements of a list whose bracket was taken. */
  async *elements(): AsyncGenerator<Buffer> {
    while (await this.hasAnother(']')) yield await this.value()
  }

  /** The name of a member, with its quotes. Moves past the colon. */
  async name(): Promise<Buffer> {
    const window = this.#window
    for (;;) {
      const [whole, name] = NAME.exec(window.bytes.toString('latin1', 0, LONGEST_NAME)) ?? []
      if (whole !== undefined && name !== undefined) {
        const json = window.bytes.subarray(0, name.length)
        window.drop(whole.length)
        return json
      }
      if (window.bytes.length >= LONGEST_NAME || !(await window.more())) {
        throw this.#damaged('expected the name of a member')
      }
    }
  }

  /** The JSON of a value. */
  async value(): Promise<Buffer> {
    await this.#peek()
    const window = this.#window
    const { depth } = this.#limits
    const allowed = mostBytes(this.#limits)
    const scan = startScan()
    for (;;) {
      const state = scanElement(window.bytes, scan, { depth, ...UNLIMITED })
      if (state === 'deep') {
        const message = `JSON nested more than ${depth} levels deep`
        throw new ArchiveError('limit-depth', message, this.#place).over({ allowed: depth })
      }
      if (scan.at > allowed) {
        const message = `a value of more than ${allowed} bytes`
        throw new ArchiveError('limit-record', message, this.#place).over({ allowed })
      }
      if (state === 'done') break
      if (state !== 'more') throw this.#damaged(`no JSON at byte ${window.offset + scan.at}`)
      if (!(await window.more())) throw this.#damaged('the file ends too early')
    }
    const json = window.bytes.subarray(0, scan.at)
    window.drop(scan.at)
    return json
  }

  /** Throws unless nothing follows. */
  async end(): Promise<void> {
    if ((await this.#peek()) !== undefined) throw this.#damaged('something follows the object')
  }

  close(): Promise<void> {
    return this.#window.close()
  }

  /** The next character that is no white space. */
  async #peek(): Promise<string | undefined> {
    for (;;) {
      const byte = await this.#window.peek()
      if (byte === undefined) return undefined
      if (!isSpace(byte)) return String.fromCharCode(byte)
      this.#window.drop(1)
    }
  }

  #damaged(message: string): ArchiveError {
    return damagedJson(message, this.#place)
  }
}

const NAME = /^("(?:[^"\\]|\\.)*")[ \t\r\n]*:/s
const LONGEST_NAME = 2 ** 16
const UNLIMITED = { parts: Number.POSITIVE_INFINITY, escapes: Number.POSITIVE_INFINITY }
