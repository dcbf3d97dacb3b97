/** The URL of a server without its password, for messages. `fallback` is returned if it cannot be parsed. */
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

/** Why a request failed: `fetch` keeps the reason in the cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const [first] = cause instanceof AggregateError ? cause.errors : [cause]
  return (first instanceof Error ? first.message : String(first)) || 'the connection failed'
}
