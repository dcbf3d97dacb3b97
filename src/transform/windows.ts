/** Characters that are looked at together, how many follow them, and how many come before, so that no value is cut. */
const WINDOW = 2 ** 20
const OVERLAP = 64 * 1024
const BEFORE = 8 * 1024

/** A part of a text, with what surrounds it. */
export interface Window {
  text: string
  /** Where the part begins; what is before belongs to the previous one. */
  from: number
  /** Values that begin here or behind belong to the next part. */
  until: number
  /** Characters of the whole text before `text`. */
  offset: number
}

/**
 * Goes through a text of any length. `take` returns where it has ended in the window: the next part begins there.
 *
 * @returns what `take` made of each part
 */
export async function* inWindows<T>(
  pieces: AsyncIterable<string>,
  take: (window: Window) => { end: number; result: T },
): AsyncGenerator<T> {
  let [text, from, offset] = ['', 0, 0]
  const next = (until: number): T => {
    const { end, result } = take({ text, from, until, offset })
    const start = Math.max(0, end - BEFORE)
    text = text.slice(start)
    from = end - start
    offset += start
    return result
  }
  for await (const piece of pieces) {
    text += piece
    if (text.length - from >= WINDOW + OVERLAP) yield next(cutAt(text, text.length - OVERLAP))
  }
  yield next(text.length)
}

/** A place to cut: not within a character. */
function cutAt(text: string, at: number): number {
  const isLow = /[\udc00-\udfff]/.test(text[at] as string)
  return isLow && /[\ud800-\udbff]/.test(text[at - 1] as string) ? at - 1 : at
}
