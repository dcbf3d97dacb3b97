import { type FieldFault, invalid } from '../../http/http-error.ts'
import { parseTime } from '../../reading/times.ts'

/** Reads the parameters of a list, and gathers what is wrong with them. */
export class ListParameters {
  readonly #faults: FieldFault[] = []
  readonly #query: URLSearchParams
  readonly #resource: string

  /** @param resource what is listed, for the answer that names the faults */
  constructor(query: URLSearchParams, resource: string) {
    this.#query = query
    this.#resource = resource
  }

  /** The value of a parameter; undefined if it is left out. */
  text(name: string): string | undefined {
    const value = this.#query.get(name)
    return value === null || value === '' ? undefined : value
  }

  /** One of some words; the first is the default. */
  word<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const value = this.text(name)
    if (value === undefined) return words[0]
    const found = words.find((word) => word === value)
    if (found === undefined) this.#refuse(name)
    return found ?? words[0]
  }

  time(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const time = parseTime(value)
    if (time === undefined) this.#refuse(name)
    return time
  }

  /** The number of a milestone, `none` or `*`. */
  milestone(): number | boolean | undefined {
    const value = this.text('milestone')
    if (value === undefined) return undefined
    if (value === 'none' || value === '*') return value === '*'
    if (/^\d{1,15}$/.test(value)) return Number(value)
    this.#refuse('milestone')
    return undefined
  }

  /** @throws `HttpError` 422 that names every fault */
  check(): void {
    if (this.#faults.length > 0) throw invalid(this.#faults)
  }

  #refuse(field: string): void {
    this.#faults.push({ resource: this.#resource, field, code: 'invalid' })
  }
}
