import type { ArchiveRecord } from '../../src/records/kinds/kinds.ts'

const HOST = 'https://github.com'

/** The address of a person, a bot or an organization, which is also its identity. */
export const accountUrl = (login: string): string => `${HOST}/${login}`

/** Where pictures and files are that people put into texts. */
export const uploadUrl = (kind: 'assets' | 'files', path: string): string =>
  `${HOST}/user-attachments/${kind}/${path}`

export const teamUrl = (organization: string, slug: string): string =>
  `${HOST}/orgs/${organization}/teams/${slug}`

/** A date the given number of minutes later, in the form that archives use. */
export function later(at: string, minutes: number): string {
  const date = new Date(Date.parse(at) + minutes * 60_000)
  return `${date.toISOString().slice(0, 19)}Z`
}

type Reactions = ArchiveRecord<'issue_comments'>['reactions']

/** Who reacted, by reaction: `{ heart: ['teo-park'] }`. */
export function reactionsOf(
  feelings: { readonly [content: string]: readonly string[] },
  subject_type: string,
  at: string,
): Reactions {
  const pairs = Object.entries(feelings).flatMap(([content, logins]) =>
    logins.map((login) => ({ content, login })),
  )
  return pairs.map(({ content, login }, i) => ({
    user: accountUrl(login),
    content,
    subject_type,
    // The only date with milliseconds and an offset: the time zone of the person who made the export.
    created_at: later(at, 120 + 7 * (i + 1)).replace('Z', '.000+02:00'),
  }))
}
