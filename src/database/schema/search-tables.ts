import { quoteName } from '../quote.ts'
import { loginOf } from './facts/people.ts'
import type { Relation } from './relation.ts'

/** A table whose texts are searched, with SQL for the fields of a result; `o` is its row. */
export interface TextSource {
  /** `--kind` by this name. */
  readonly kind: string
  readonly table: string
  /** The indexed text. */
  readonly title: string
  readonly body: string
  /** The title to show: of a comment, that of its thread. */
  readonly heading: string
  /** The part after owner/name in a reference: `#12`, `@v1.0`. */
  readonly suffix: string
  readonly full_name: string
  readonly number: string
  readonly state: string
  /** Labels of the issue, pull request or discussion: a JSON array of urls. */
  readonly labels: string
  readonly author: string
  readonly date: string
  readonly url: string
  /** Whether it is of the repository `:repository`. */
  readonly isOfRepository: string
  /** Whether `:author` wrote it. */
  readonly isByAuthor: string
}

const ofThread = (column: string, member: string, table: string) =>
  `SELECT t.${column} FROM ${table} AS t WHERE t.url = o.${member}`
const ofEither = (column: string) =>
  `coalesce((${ofThread(column, 'issue', 'issues')}), (${ofThread(column, 'pull_request', 'pull_requests')}))`
const ofDiscussion = (column: string) => `(${ofThread(column, 'discussion', 'discussions')})`
const ofPull = (column: string) => `(${ofThread(column, 'pull_request', 'pull_requests')})`

// Parsing URLs is slow. A LIKE excludes most rows first; the usual form, `https://host/owner/name/…`, is compared in
// place.
const isOfRepository = `o.url LIKE '%/' || :repository || '/%' AND (
  substr(o.url, instr(substr(o.url, 9), '/') + 9, length(:repository) + 1) = :repository || '/' COLLATE NOCASE
  OR o.full_name = :repository COLLATE NOCASE)`
// Of a person whose record has another login, both that and the end of the URL are meant.
const isByAuthor = `(o.user LIKE '%/' || :author AND o.user_login = :author COLLATE NOCASE
  OR o.user IN (SELECT url FROM people WHERE login = :author COLLATE NOCASE))`

const record = {
  title: 'o.title',
  body: 'o.body',
  heading: 'o.title',
  suffix: "'#' || o.number",
  full_name: 'o.full_name',
  number: 'o.number',
  state: 'o.state',
  labels: 'o.labels',
  author: loginOf('o.user', 'o.user_login'),
  date: 'o.created_at',
  url: 'o.url',
  isOfRepository,
  isByAuthor,
}
const comment = {
  ...record,
  title: 'NULL',
  heading: ofEither('title'),
  state: ofEither('state'),
  labels: ofEither('labels'),
}
const ofReview = {
  ...comment,
  heading: ofPull('title'),
  state: ofPull('state'),
  labels: ofPull('labels'),
}

/** Every text that is searched. The index stores positions in this list: add at the end, 16 at most. */
export const TEXT_SOURCES: readonly TextSource[] = [
  { ...record, kind: 'issue', table: 'issues' },
  { ...record, kind: 'pull_request', table: 'pull_requests' },
  { ...record, kind: 'discussion', table: 'discussions', state: 'NULL' },
  {
    ...record,
    kind: 'release',
    table: 'releases',
    title: "concat_ws(' ', o.name, o.tag_name)",
    heading: "coalesce(nullif(o.name, ''), o.tag_name)",
    suffix: "'@' || o.tag_name",
    number: 'NULL',
    labels: 'NULL',
    date: 'coalesce(o.published_at, o.created_at)',
  },
  { ...comment, kind: 'comment', table: 'issue_comments' },
  {
    ...ofReview,
    kind: 'review',
    table: 'pull_request_reviews',
    date: 'coalesce(o.submitted_at, o.created_at)',
  },
  { ...ofReview, kind: 'review_comment', table: 'pull_request_review_comments' },
  {
    ...comment,
    kind: 'commit_comment',
    table: 'commit_comments',
    heading: 'NULL',
    suffix: "'@' || substr(o.commit_id, 1, 10)",
    number: 'NULL',
    state: 'NULL',
    labels: 'NULL',
  },
  {
    ...record,
    kind: 'commit',
    table: 'commits',
    title: 'o.subject',
    // The first line is the subject.
    body: 'substr(o.message, instr(o.message || char(10), char(10)) + 1)',
    heading: 'o.subject',
    suffix: "'@' || substr(o.oid, 1, 10)",
    full_name: 'o.repository',
    number: 'NULL',
    state: 'NULL',
    labels: 'NULL',
    author: 'o.author_name',
    date: 'o.authored_at',
    url: 'NULL',
    isOfRepository: 'o.repository = :repository COLLATE NOCASE',
    isByAuthor: ':author COLLATE NOCASE IN (o.author_name, o.author_email)',
  },
  {
    ...comment,
    kind: 'comment',
    table: 'discussion_comments',
    heading: ofDiscussion('title'),
    state: 'NULL',
    labels: ofDiscussion('labels'),
  },
]

/** The number of tables that ids of the index have room for. */
export const MOST_SOURCES = 16
/**
 * Rows with other rowids are not indexed: ids made from them would overflow a 64-bit integer. Loading numbers rows from 1;
 * only SQL can give others.
 */
const ROWIDS = 'BETWEEN 1 AND 281474976710656'

/** Ignores diacritics, so that cafe finds café. No stemming, because the language is unknown. */
export const TOKENIZER = 'unicode61 remove_diacritics 2'

/** SQL for whether the row `o` of a source has a text, and a rowid from which an id can be made. */
export const isSearched = ({ title, body }: TextSource): string =>
  `(${title} <> '' OR ${body} <> '') AND o.rowid ${ROWIDS}`

const ID = `${MOST_SOURCES} × the rowid in its table + the id of that in search_tables`

/** The tables that the first `marc search` adds to a database. Archives do not contain them. */
export const SEARCH_TABLES: readonly Relation[] = [
  {
    name: 'search_index',
    type: 'table',
    summary: `Full-text index (FTS5) without the texts. rowid is ${ID}. Rows with rowids below 1 or above 2⁴⁸ are left out.`,
    columns: [
      { name: 'title', type: '', description: 'Titles, for MATCH only.' },
      { name: 'body', type: '', description: 'Texts, for MATCH only.' },
    ],
  },
  {
    name: 'search_tables',
    type: 'table',
    summary: 'The tables whose texts are in search_index.',
    columns: [
      { name: 'id', type: 'INTEGER PRIMARY KEY', description: 'Number, from 0.' },
      { name: 'name', type: 'TEXT NOT NULL', description: 'The table.' },
      {
        name: 'last_rowid',
        type: 'INTEGER',
        description: 'Its last rowid when indexed, to detect renumbered rows.',
      },
    ],
  },
  {
    name: 'search_changes',
    type: 'table',
    summary: 'Texts changed since the last update of search_index, recorded by triggers.',
    columns: [{ name: 'id', type: 'INTEGER PRIMARY KEY', description: `${ID}.` }],
  },
]

/** The statement that creates search_index. */
export const SEARCH_INDEX = `CREATE VIRTUAL TABLE search_index USING fts5(
  title, body, content = '', contentless_delete = 1, tokenize = '${TOKENIZER}')`

/** The statements that create the triggers of a table. They work without FTS5, too. */
export function searchTriggers(table: string, id: number): string[] {
  const note = (row: string) =>
    `INSERT OR IGNORE INTO search_changes SELECT ${row}.rowid * ${MOST_SOURCES} + ${id} WHERE ${row}.rowid ${ROWIDS};`
  const trigger = (event: string, cause: string, rows: readonly string[]) =>
    `CREATE TRIGGER ${quoteName(`search_${event}_${table}`)} AFTER ${cause} ON ${quoteName(table)} BEGIN ${rows.map(note).join(' ')} END`
  const texts = TEXTS_OF[table] ?? ['title', 'body']
  return [
    trigger('insert', 'INSERT', ['new']),
    trigger('update', `UPDATE OF ${texts.map(quoteName).join(', ')}`, ['old', 'new']),
    trigger('delete', 'DELETE', ['old']),
  ]
}

/** The indexed columns, if they are not title and body. */
const TEXTS_OF: Readonly<Record<string, readonly string[]>> = {
  releases: ['name', 'tag_name', 'body'],
  commits: ['subject', 'message'],
  ...Object.fromEntries(
    TEXT_SOURCES.filter(({ title }) => title === 'NULL').map(({ table }) => [table, ['body']]),
  ),
}
