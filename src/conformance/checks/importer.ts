import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { filledTables, recordTables } from '../../database/rows/read-record.ts'
import { KINDS, type KindName } from '../../records/kinds/kinds.ts'
import { elementsOf } from '../../rules/sql/record-select.ts'

/** How a line is known: the importer's documentation says so, it was seen, or it is likely. */
type Known = 'documented' | 'observed' | 'guessed'

/** How many records of one kind the importer takes. */
export interface ImportLine {
  /** A kind of records, or what the host calls it. */
  kind: string
  /** How many there are; null for what no archive has. The next three add up to it. */
  records: number | null
  /** How many arrive as they are. */
  taken: number
  /** How many arrive otherwise. */
  changed: number
  /** How many do not arrive. */
  notTaken: number
  /** Why some do not arrive as they are; null if all do. */
  why: string | null
  /** `documented`, `observed` or `guessed`. */
  known: Known
  /** Where it is said or was seen. */
  source: string
}

type Fate = 'taken' | 'changed' | 'notTaken'

/** A line without counts. `where` limits the fate to some records; all others are taken. */
interface Fact {
  readonly fate: Fate
  readonly why: string | null
  readonly known: Known
  readonly source: string
  readonly where?: string
}

const MIGRATED = 'GitHub Docs, About migrations between GitHub products'

const fact = (
  fate: Fate,
  why: string | null,
  known: Known,
  source: string,
  where?: string,
): Fact => ({
  fate,
  why,
  known,
  source,
  ...(where !== undefined && { where }),
})

const taken = fact('taken', null, 'documented', MIGRATED)
const takenAlong = fact('taken', null, 'guessed', 'part of what the documentation lists')
const notTaken = (why: string, where?: string) =>
  fact('notTaken', why, 'documented', MIGRATED, where)

const mannequins = 'They become mannequins until each is reclaimed'

const discussions = fact('notTaken', 'Discussions of a repository stay', 'guessed', MIGRATED)

/** The other pull request or issue of an event. */
const NAMED = "coalesce(referencing_pull_request, CASE event WHEN 'connected' THEN subject END)"

/** Events that name one of another repository than their own. Few name one, and a name of a repository takes long to derive. */
const ELSEWHERE = `${NAMED} IS NOT NULL AND instr(lower(${NAMED}), lower('/' || full_name || '/')) = 0`

/** The records of each kind. */
const KIND_FACTS: Readonly<Record<KindName, Fact>> = {
  users: fact('changed', mannequins, 'documented', MIGRATED),
  bots: fact('changed', mannequins, 'guessed', 'what is documented of people'),
  organizations: fact(
    'notTaken',
    'A repository goes to an organization that is there, whose settings and members stay',
    'guessed',
    'the importer asks for the organization by name',
  ),
  repositories: taken,
  teams: notTaken('Access of teams, and their members, are given anew'),
  protected_branches: taken,
  milestones: taken,
  issues: taken,
  pull_requests: taken,
  bases: takenAlong,
  projects: notTaken('Projects of a repository stay, classic and new'),
  pull_request_reviews: taken,
  pull_request_review_threads: taken,
  pull_request_review_comments: taken,
  review_comments: takenAlong,
  commit_comments: taken,
  issue_comments: taken,
  issue_events: notTaken('References to issues and pull requests of other repositories', ELSEWHERE),
  attachments: taken,
  releases: taken,
  repository_files: takenAlong,
  discussion_categories: discussions,
  discussions,
  discussion_comments: discussions,
}

/** Lists in records. */
const PARTS: readonly (Fact & { kind: string; from: string })[] = [
  {
    kind: 'webhooks',
    from: `repositories AS o${elementsOf('webhooks')}`,
    ...fact('changed', 'They arrive disabled: switch them on', 'documented', MIGRATED),
  },
  {
    kind: 'collaborators',
    from: `repositories AS o${elementsOf('collaborators')}`,
    ...fact('notTaken', 'Access of people is given anew', 'guessed', 'what is documented of teams'),
  },
]

/** Data that archives leave out; of LFS objects some archives have files. */
const ABSENT: readonly (readonly [kind: string, why: string, from?: string])[] = [
  ['Git LFS objects', 'Push them with git lfs push --all', "files WHERE role = 'lfs'"],
  ['Actions secrets, variables and environments', 'Set them again'],
  ['Actions runners, self-hosted and larger', 'Register them again'],
  ['Actions run history and artifacts', 'They stay; workflows come along in Git'],
  ['apps and their installations', 'Install them again'],
  ['code scanning results', 'Scan again'],
  ['Dependabot alerts and secrets', 'Alerts come back when it is switched on; set secrets again'],
  ['secret scanning remediation states', 'Scanning starts anew'],
  ['packages', 'Publish them again'],
  ['stars, watchers and forks', 'They stay'],
  ['fork relationships', 'A fork arrives as a repository of its own'],
  ['commit statuses', 'Checks run again on new commits'],
  ['edit history of comments', 'Comments arrive with their last text'],
  ['rulesets', 'Make them again'],
  ['custom properties and issue types', 'Set them again'],
]

const UNKNOWN = fact(
  'notTaken',
  'No importer is known to read this kind',
  'guessed',
  'its absence from documentation',
)

/**
 * Lists how much of a database the importer takes, changes and leaves out: the kinds of the database in the order of an
 * import, then data that no archive has.
 */
export function describeImport(database: Database): ImportLine[] {
  const known = Object.entries(KIND_FACTS)
  const unknown = recordTables(database).filter((table) => !Object.hasOwn(KINDS, table))
  const facts = [...known, ...unknown.map((table) => [table, UNKNOWN] as const)]
  const filled = filledTables(
    database,
    facts.map(([table]) => table),
  )
  const lines = [
    ...facts
      .filter(([table]) => filled.has(table))
      .map(([kind, fact]) => ({ kind, from: quoteName(kind), ...fact })),
    ...PARTS,
  ].map((line) => countLine(database, line))
  const absent = ABSENT.map(([kind, why, from]): ImportLine => {
    const line =
      from === undefined ? undefined : countLine(database, { kind, from, ...notTaken(why) })
    if (line && line.records !== 0) return line
    const none = { kind, records: null, taken: 0, changed: 0, notTaken: 0 }
    return { ...none, why, known: 'documented', source: MIGRATED }
  })
  return [...lines.filter(({ records }) => records !== 0), ...absent]
}

/** The columns and rows of the table of what the importer takes. */
export const importTable = (lines: readonly ImportLine[]) => ({
  columns: ['kind', 'records', 'taken', 'changed', 'not taken', 'why', 'known', 'source'],
  rows: lines.map(({ kind, records, taken, changed, notTaken, why, known, source }) => [
    kind,
    records,
    taken || null,
    changed || null,
    notTaken || null,
    why,
    known,
    source,
  ]),
})

function countLine(
  database: Database,
  { kind, from, fate, why, known, source, where = 'TRUE' }: Fact & { kind: string; from: string },
): ImportLine {
  const [records, touched] = database
    .prepare<[], [number, number]>(`SELECT count(*), count(*) FILTER (WHERE ${where}) FROM ${from}`)
    .raw()
    .get() as [number, number]
  const isTouched = fate !== 'taken' && touched > 0
  const line = { kind, records, taken: records, changed: 0, notTaken: 0 }
  return {
    ...line,
    ...(isTouched && { taken: records - touched, [fate]: touched }),
    why: isTouched ? why : null,
    known,
    source,
  }
}

/** A record that does not arrive as it is. */
export interface LeftRecord {
  readonly kind: string
  /** The record, or for a part of one the record that has it. */
  readonly url: string | null
  readonly fate: 'changed' | 'notTaken'
  readonly why: string
}

/** Kinds whose records, where `where` holds, an importer does not take as they are. */
function touched(database: Database): readonly (readonly [kind: string, fact: Fact])[] {
  const known = Object.entries(KIND_FACTS)
  const unknown = recordTables(database).filter((table) => !Object.hasOwn(KINDS, table))
  const facts = [...known, ...unknown.map((table) => [table, UNKNOWN] as const)]
  const names = facts.map(([table]) => table)
  const filled = filledTables(database, names)
  return facts.filter(([table, { fate }]) => fate !== 'taken' && filled.has(table))
}

/** Every record that the importer changes or leaves out, read from the database while it is consumed. */
export function* listLeft(database: Database): Generator<LeftRecord> {
  const facts = [
    ...touched(database).map(([kind, fact]) => ({
      kind,
      from: `${quoteName(kind)} AS o`,
      ...fact,
    })),
    ...PARTS,
  ]
  for (const { kind, from, where = 'TRUE', fate, why } of facts) {
    const select = `SELECT o.url FROM ${from} WHERE ${where}`
    for (const url of database.prepare<[], string | null>(select).pluck().iterate()) {
      yield { kind, url, fate: fate as LeftRecord['fate'], why: why ?? '' }
    }
  }
}

/** Leaves a database, which may be written, with what the importer takes, as it takes it. People stay as they are. */
export function keepTaken(database: Database): void {
  const left = touched(database).filter(([, { fate }]) => fate === 'notTaken')
  const work = database.transaction(() => {
    for (const [table, { where = 'TRUE' }] of left) {
      database.exec(`DELETE FROM ${quoteName(table)} WHERE ${where}`)
    }
    database.exec(`UPDATE repositories SET collaborators = '[]' WHERE collaborators IS NOT NULL;
      UPDATE repositories AS o SET webhooks = (
        SELECT json_group_array(CASE e.type WHEN 'object' THEN json_set(e.value, '$.active', json('false')) ELSE e.value END)
        FROM ${elementsOf('webhooks').slice(2)})
      WHERE json_valid(webhooks) AND webhooks <> '[]'`)
  })
  work.immediate()
}
