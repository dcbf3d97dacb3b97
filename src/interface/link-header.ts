/** Relations of a page to others, in the order in which the host writes them. */
export const RELATIONS = ['prev', 'next', 'last', 'first'] as const

export type Relation = (typeof RELATIONS)[number]

export type Links = Readonly<Partial<Record<Relation, string>>>

/**
 * Formats a `Link` header.
 *
 * @returns undefined if there are no links
 * @example
 * formatLink({ next: 'http://127.0.0.1/events?page=2' }) // '<http://127.0.0.1/events?page=2>; rel="next"'
 */
export function formatLink(links: Links): string | undefined {
  const given = RELATIONS.filter((name) => links[name] !== undefined)
  return given.map((name) => `<${links[name]}>; rel="${name}"`).join(', ') || undefined
}

/**
 * Reads a `Link` header, the inverse of `formatLink`. Relations with other names and invalid links are left out.
 *
 * @example
 * parseLink('<http://127.0.0.1/events?page=2>; rel="next"').next // 'http://127.0.0.1/events?page=2'
 */
export function parseLink(header: string | null | undefined): Links {
  const links: Partial<Record<Relation, string>> = {}
  for (const [, url, parameters = ''] of (header ?? '').matchAll(/<([^<>]*)>((?:;[^,<]*)*)/g)) {
    const names = /(?:^|;)\s*rel="?([^";]*)"?/i.exec(parameters)?.[1]?.split(/\s+/) ?? []
    for (const name of RELATIONS) if (names.includes(name)) links[name] ??= url ?? ''
  }
  return links
}
