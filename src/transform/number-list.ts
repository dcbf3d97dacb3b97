/** Numbers of 32 bits, one behind the other. */
export interface NumberList {
  readonly length: number
  push(number: number): void
  at(index: number): number
}

const BLOCK_BITS = 14
const BLOCK = 2 ** BLOCK_BITS

/** Creates a list that takes four bytes for each number, and is never copied. */
export function createNumberList(): NumberList {
  const blocks: Int32Array[] = []
  let length = 0
  return {
    get length() {
      return length
    },
    push(number) {
      if (length % BLOCK === 0) blocks.push(new Int32Array(BLOCK))
      ;(blocks.at(-1) as Int32Array)[length++ % BLOCK] = number
    },
    at: (index) => (blocks[index >>> BLOCK_BITS] as Int32Array)[index % BLOCK] as number,
  }
}
