/** Milliseconds before progress is reported. */
const PATIENCE = 1000

/**
 * Tells what is being indexed, if it takes long enough to wonder.
 *
 * @param notice receives one line for each step
 */
export function tellProgress(notice: (text: string) => void): (what: string, part: number) => void {
  const start = performance.now()
  return (what, part) => {
    if (performance.now() - start < PATIENCE) return
    notice(`making the index: ${what} (${Math.round(part * 100)} %)`)
  }
}
