/** The records that a text refers to without a link. */
export type Reference =
  | { kind: 'thread'; repository: string | undefined; number: number }
  | { kind: 'person'; login: string }
  | { kind: 'team'; organization: string; team: string }
  | { kind: 'commit'; repository: string | undefined; oid: string }

const LOGIN = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:\\[bot\\])?'

/** `owner/repo#12`, `#12`, `GH-12`, `@org/team`, `@login`. */
export const MENTION = new RegExp(
  [
    `(?<![\\w/@#&.-])(?<repository>[\\w-]+/[\\w.-]+)?#(?<number>\\d{1,9})(?!\\w)`,
    `(?<![\\w-])GH-(?<old>\\d{1,9})(?!\\w)`,
    `(?<![\\w/@.])@(?<organization>${LOGIN})/(?<team>[\\w.-]+)`,
    `(?<![\\w/@.])@(?<login>${LOGIN})(?![\\w-])`,
  ].join('|'),
)

/** The same, and `owner/repo@abc1234`, `abc1234`. */
export const REFERENCE = new RegExp(
  `${MENTION.source}|(?<![\\w/@.#-])(?:(?<of>[\\w-]+/[\\w.-]+)@)?(?<oid>[0-9a-f]{7,40})(?![\\w.-])`,
  'g',
)

/** The subject of a match of `REFERENCE`. */
export function referenceOf(groups: Record<string, string | undefined>): Reference {
  const { repository, number, old, organization, team, login, of, oid } = groups
  if (oid !== undefined) return { kind: 'commit', repository: of, oid }
  if (organization !== undefined && team !== undefined) return { kind: 'team', organization, team }
  if (login !== undefined) return { kind: 'person', login }
  return { kind: 'thread', repository, number: Number(number ?? old) }
}
