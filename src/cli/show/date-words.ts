const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** `3 May 2021`, in UTC; what is no date as it is. */
export function dateInWords(date: string | null): string {
  if (date === null) return 'at an unknown time'
  const time = Date.parse(date)
  return Number.isNaN(time) ? date : words.format(time)
}
