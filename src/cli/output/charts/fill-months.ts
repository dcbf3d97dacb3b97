const MONTH = /^(\d{4})-(\d\d)$/

/** The months from the first to the last of these, those in between too; times that are no months as they are. */
export function fillMonths(times: readonly string[]): readonly string[] {
  const [first = '', last = ''] = [times[0], times.at(-1)]
  if (!times.every((time) => MONTH.test(time))) return times
  const filled: string[] = []
  for (let month = indexOf(first); month <= indexOf(last); month++) {
    const year = String(Math.floor(month / 12)).padStart(4, '0')
    filled.push(`${year}-${String((month % 12) + 1).padStart(2, '0')}`)
  }
  return filled
}

const indexOf = (month: string): number => {
  const [, year, number] = MONTH.exec(month) ?? []
  return Number(year) * 12 + Number(number) - 1
}
