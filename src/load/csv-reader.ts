/** Characters of a line, at most. */
const LONGEST_LINE = 2 ** 20

/**
 * Reads CSV piece by piece: quotes with doubled quotes inside, line ends of any system, empty lines skipped. A quote elsewhere
 * than at the beginning of a cell is a character. Holds one line of bounded size, whatever comes; csv-parse would hold all
 * cells of a line of commas.
 */
export class CsvReader {
  readonly #take: (cells: readonly string[]) => void
  readonly #mostCells: number
  readonly #decoder = new TextDecoder()
  #cells: string[] = []
  #cell = ''
  #length = 0
  #state: 'start' | 'plain' | 'quoted' | 'quote' = 'start'
  #fault: string | undefined

  /** @param take gets the cells of each line, without those after `mostCells` */
  constructor(mostCells: number, take: (cells: readonly string[]) => void) {
    this.#take = take
    this.#mostCells = mostCells
  }

  write(bytes: Uint8Array): void {
    this.#read(this.#decoder.decode(bytes, { stream: true }))
  }

  /** Ends the last line. Returns why there was no CSV from some line on, if so. */
  end(): string | undefined {
    this.#read(this.#decoder.decode())
    if (this.#state === 'quoted') this.#fault ??= 'a quote is not closed'
    if (this.#fault === undefined) this.#endLine()
    return this.#fault
  }

  #read(text: string): void {
    const special = /[",\r\n]/g
    for (let at = 0; this.#fault === undefined && at < text.length; ) {
      if (this.#state === 'quote') {
        const isDoubled = text[at] === '"'
        if (isDoubled) this.#append(text.slice(at, ++at))
        this.#state = isDoubled ? 'quoted' : 'plain'
        continue
      }
      special.lastIndex = at
      const isQuoted = this.#state === 'quoted'
      const found = isQuoted ? text.indexOf('"', at) : (special.exec(text)?.index ?? -1)
      this.#append(text.slice(at, found < 0 ? undefined : found))
      if (found < 0 || this.#fault !== undefined) return
      at = found + 1
      if (isQuoted) this.#state = 'quote'
      else this.#end(text[found] as string)
    }
  }

  /** The effect of a character outside of quotes. */
  #end(special: string): void {
    if (special === ',') this.#endCell()
    else if (special !== '"') this.#endLine()
    else if (this.#state === 'start') this.#state = 'quoted'
    else this.#append(special)
  }

  #append(text: string): void {
    if (text === '') return
    this.#length += text.length
    if (this.#length > LONGEST_LINE) this.#fault = 'a line is longer than 1 MiB'
    else if (this.#cells.length < this.#mostCells) this.#cell += text
    if (this.#state === 'start') this.#state = 'plain'
  }

  #endCell(): void {
    if (this.#cells.length < this.#mostCells) this.#cells.push(this.#cell)
    this.#cell = ''
    this.#state = 'start'
  }

  #endLine(): void {
    const isEmpty = this.#cells.length === 0 && this.#state === 'start'
    this.#endCell()
    if (!isEmpty) this.#take(this.#cells)
    this.#cells = []
    this.#length = 0
  }
}
