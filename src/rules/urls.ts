import { KINDS, type KindName } from '../records/kinds/kinds.ts'
import type { MemberPath } from '../records/kinds/member-paths.ts'
import { PEOPLE_TABLES } from '../records/people-tables.ts'
import { memberRule, testMembers } from './member-rule.ts'
import { type Rule, shownValue } from './rule.ts'
import { KNOWN_MEMBERS } from './sql/known-members.ts'
import { recordsWhere, words } from './sql/record-select.ts'
import { hasShape } from './sql/sql-functions.ts'
import { DESCRIBED_URLS, URL_SHAPES, type UrlShapes } from './url-shapes.ts'

/** The shape of a kind's URLs for people; undefined for kinds without a shape. */
function exampleOf(kind: KindName): string | undefined {
  const shapes: UrlShapes = URL_SHAPES
  const shape = shapes[kind]
  const template = typeof shape === 'string' ? shape : shape && Object.values(shape)[0]
  return template?.replaceAll(/\{[+/#]?(\w+)\}/g, '<$1>')
}

// Other tools describe the shapes of their own URLs there.
const HOST_SHAPES = 'NOT EXISTS (SELECT 1 FROM archives WHERE urls IS NOT NULL)'

const isUrl = ({ text }: MemberPath) => text === 'url'
const isLabel = ({ text }: MemberPath, kind: string) =>
  kind === 'repositories' && text === 'labels[].url'
const tableOf = ({ text }: MemberPath, kind: string) => (text === 'url' ? kind : 'labels')

/** A rule about the shapes of URLs, for kinds that importers have templates of or for the others. */
const shapeRule = (
  described: boolean,
  rule: Pick<Rule, 'code' | 'severity' | 'summary' | 'evidence' | 'source'>,
): Rule => {
  const isAbout = (kind: string) => DESCRIBED_URLS.some((name) => name === kind) === described
  return {
    ...rule,
    run(_, faults) {
      for (const kind of (Object.keys(KINDS) as KindName[]).filter(isAbout)) {
        const example = exampleOf(kind)
        if (!example) continue
        const where = `o.url IS NOT NULL AND NOT ${hasShape(kind, 'o.url')} AND ${HOST_SHAPES}`
        faults.addAll(recordsWhere(kind, where, words(`expected the form ${example}`)))
      }
    },
    test: testMembers(
      (path, kind) => isUrl(path) && isAbout(kind),
      (value, _, { name, patterns }) =>
        typeof value !== 'string' || (patterns.get(name)?.test(value) ?? true)
          ? undefined
          : `does not have the form of its kind: ${shownValue(value)}`,
    ),
  }
}

const LABEL = KNOWN_MEMBERS.find(({ kind, path }) => isLabel(path, kind))

/** A SELECT of the URLs that several labels have. */
export const SHARED_LABELS = `SELECT ${LABEL?.text} AS label FROM repositories AS o${LABEL?.elements}
  WHERE label IS NOT NULL AND ${LABEL?.isText} GROUP BY label HAVING count(*) > 1`

/** URLs: their shapes, and that each occurs once. */
export const urlRules: readonly Rule[] = [
  shapeRule(true, {
    code: 'url-shape',
    severity: 'error',
    summary: 'An importer parses owner, repository and number from the URL of a record',
    evidence: 'documented',
    source: 'the templates of urls.json, which name these kinds and allow other forms',
  }),
  shapeRule(false, {
    code: 'url-unusual',
    severity: 'warning',
    summary:
      'All known URLs of the kind have another form; whether importers parse them is unknown',
    evidence: { seenIn: '2,465 records' },
    source: 'observed in real exports',
  }),
  memberRule({
    code: 'label-url',
    severity: 'error',
    summary: 'Issues name labels by URL; an importer parses repository and name from it',
    evidence: 'documented',
    source: 'the templates of urls.json',
    about: isLabel,
    breach: (value, _, { patterns }) =>
      (patterns.get('labels')?.test(value) ?? true)
        ? undefined
        : `does not have the form of a label: ${shownValue(value)}`,
    wrong: (url) => `${url} IS NOT NULL AND NOT ${hasShape('labels', url)} AND ${HOST_SHAPES}`,
  }),
  {
    code: 'record-duplicate',
    severity: 'error',
    summary: 'An importer keeps only one of several records with the same URL',
    evidence: 'documented',
    source: 'host documentation: the tables of a migration name records by URL',
    run(_, faults) {
      faults.addAll(
        `SELECT NULL AS kind, NULL AS url, entry, record, message
         FROM problems WHERE code = 'record-duplicate'`,
      )
      // A user, a bot and an organization with the same URL are one account.
      for (const [i, kind] of PEOPLE_TABLES.entries()) {
        for (const other of PEOPLE_TABLES.slice(0, i)) {
          const where = `EXISTS (SELECT 1 FROM ${other} AS t WHERE t.url = o.url)`
          faults.addAll(recordsWhere(kind, where, words(`${other} has a record with this URL too`)))
        }
      }
      if (!LABEL) return
      faults.addAll(
        `SELECT 'repositories' AS kind, url, entry, record,
           times || ' labels have the URL ' || substr(label, 1, 200) AS message
         FROM (SELECT o.url AS url, o._entry AS entry, o._record_number AS record, ${LABEL.text} AS label,
             count(*) AS times FROM repositories AS o${LABEL.elements}
           WHERE label IS NOT NULL AND ${LABEL.isText} GROUP BY label HAVING times > 1)`,
      )
    },
    test: testMembers(
      (path, kind) => isUrl(path) || isLabel(path, kind),
      (value, path, { name, world }) =>
        typeof value !== 'string' || world.add(tableOf(path, name), value)
          ? undefined
          : `is also the URL of another record: ${shownValue(value)}`,
    ),
  },
  memberRule({
    code: 'owner-nested',
    severity: 'error',
    summary: 'A repository has one owner: exporters flatten sub-groups such as a/b to a-b',
    evidence: 'documented',
    source: 'exporters whose archives were imported',
    about: (path, kind) => kind === 'repositories' && isUrl(path),
    breach: (url) =>
      /^http.*:\/\/.*\/.*\/.*\/.*$/s.test(url)
        ? `is in a sub-group: ${shownValue(url)}`
        : undefined,
    wrong: (url) => `${url} GLOB 'http*://*/*/*/*'`,
  }),
  memberRule({
    code: 'number-shared',
    severity: 'error',
    summary: 'Issues and pull requests share one sequence of numbers: only one can be imported',
    evidence: 'documented',
    source: 'host documentation: every pull request is an issue',
    about: (path, kind) => kind === 'pull_requests' && isUrl(path),
    breach: (url, _, { world }) =>
      world.has('issues', url.replaceAll('/pull/', '/issues/'))
        ? `has the number of an issue: ${shownValue(url)}`
        : undefined,
    wrong: (url) =>
      `EXISTS (SELECT 1 FROM issues AS i WHERE i.url = replace(${url}, '/pull/', '/issues/'))`,
  }),
  {
    code: 'merged-not-closed',
    severity: 'warning',
    summary: 'A merged pull request is also closed; an importer may show it as open',
    evidence: { seenIn: '434 pull requests' },
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(
        recordsWhere(
          'pull_requests',
          'o.merged_at IS NOT NULL AND o.closed_at IS NULL',
          "'merged_at is set, closed_at is not'",
        ),
      ),
    test: ({ name, record: { merged_at, closed_at } }) =>
      name === 'pull_requests' && typeof merged_at === 'string' && typeof closed_at !== 'string'
        ? [{ member: 'closed_at', message: 'must be set if merged_at is set' }]
        : [],
  },
]
