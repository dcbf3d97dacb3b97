/** The URL of a server as it may be shown: without its password. `fallback` stands for one that cannot be parsed. */
export function hidePassword(url: string, fallback: string): string {
  try {
    const shown = new URL(url)
    if (shown.password !== '') shown.password = '***'
    if (shown.searchParams.has('password')) shown.searchParams.set('password', '***')
    return shown.href
  } catch {
    return fallback
  }
}
