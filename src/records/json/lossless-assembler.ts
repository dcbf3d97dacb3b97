import { Assembler } from 'stream-json/core/assembler.js'
import { type JsonObject, type JsonValue, losslessNumber } from './json.ts'

/** A loss: something that a JavaScript object cannot hold of a JSON object. `path` leads from the outermost value to it. */
export type Loss = { path: readonly (string | number)[] } & (
  | { what: 'repeated'; name: string; earlier: JsonValue }
  | { what: 'moved'; names: readonly string[] }
)

/**
 * Assembles values from tokens. Keeps the text of numbers that a double would change, and reports losses: all but the last
 * of several members with the same name, and the position of members with integer names.
 */
export class LosslessAssembler extends Assembler<JsonValue> {
  readonly #lose: ((loss: Loss) => void) | undefined
  /** Names in their order, of open objects with an integer name. */
  readonly #written = new Map<unknown, string[]>()

  constructor(lose?: (loss: Loss) => void) {
    super()
    this.#lose = lose
  }

  override numberValue(text: string): void {
    // stringValue puts any value in its place.
    this.stringValue(losslessNumber(text) as never)
  }

  override keyValue(name: string): void {
    if (this.#lose) this.#watch(name, this.#lose)
    super.keyValue(name)
  }

  override endObject(): void {
    const names = this.#written.size > 0 ? this.#written.get(this.current) : undefined
    if (names) {
      this.#written.delete(this.current)
      const kept = Object.keys(this.current as JsonObject)
      if (kept.some((name, i) => name !== names[i])) {
        this.#lose?.({ what: 'moved', path: this.path, names })
      }
    }
    super.endObject()
  }

  #watch(name: string, lose: (loss: Loss) => void): void {
    const object = this.current as JsonObject
    const names = this.#written.size > 0 ? this.#written.get(object) : undefined
    if (Object.hasOwn(object, name)) {
      lose({ what: 'repeated', path: this.path, name, earlier: object[name] as JsonValue })
    } else if (names) {
      names.push(name)
    } else if (isIndex(name)) {
      this.#written.set(object, [...Object.keys(object), name])
    }
  }
}

/** Whether objects list a member with this name before all others. */
export const isIndex = (name: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(name)
