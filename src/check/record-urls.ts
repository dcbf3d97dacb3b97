import { OWNERS } from '../records/kinds/references.ts'
import { KINDS, type KindName } from '../records/kinds.ts'
import { URL_SHAPES, type UrlShapes } from '../records/url-shapes.ts'
import type { Check } from './check.ts'
import { elementMember, elementsOf, recordsWhere, says, shown, words } from './select-records.ts'
import { hasShape } from './sql-functions.ts'

/** One of the urls of a kind in words; nothing for kinds without a shape. */
function exampleOf(kind: KindName): string | undefined {
  const shapes: UrlShapes = URL_SHAPES
  const shape = shapes[kind]
  const template = typeof shape === 'string' ? shape : shape && Object.values(shape)[0]
  return template?.replaceAll(/\{[+/#]?(\w+)\}/g, '<$1>')
}

// Other tools name their own shapes there, and write records in them.
const OWN_SHAPES = '(o._archive IN (SELECT id FROM archives WHERE urls IS NOT NULL))'

/** The shapes of identities. */
export const urlChecks: readonly Check[] = [
  {
    code: 'url-shape',
    severity: 'error',
    summary: 'An importer takes owner, repository and number of a record out of its url',
    source: 'observed in real exports; the templates of urls.json allow other shapes',
    run(_, faults) {
      for (const kind of Object.keys(KINDS) as KindName[]) {
        const example = exampleOf(kind)
        if (!example) continue
        const where = `o.url IS NOT NULL AND NOT ${hasShape(kind, 'o.url')}
          AND ${OWN_SHAPES} IS NOT TRUE`
        faults.addAll(recordsWhere(kind, where, words(`expected the form ${example}`)))
      }
    },
  },
  {
    code: 'url-repeated',
    severity: 'error',
    summary:
      'A url is one account: of a user and a bot or an organization with one url, one is lost',
    source: 'observed in real exports: no url is in two kinds of people',
    run(_, faults) {
      for (const [i, kind] of OWNERS.entries()) {
        for (const other of OWNERS.slice(0, i)) {
          const where = `EXISTS (SELECT 1 FROM ${other} AS t WHERE t.url = o.url)`
          faults.addAll(recordsWhere(kind, where, words(`${other} has a record with this url too`)))
        }
      }
    },
  },
  {
    code: 'label-url',
    severity: 'error',
    summary: 'Issues name labels by url; an importer finds repository and name in it',
    source: 'observed in real exports',
    run(_, faults) {
      const url = elementMember('url')
      const where = `NOT ${hasShape('labels', url)} AND ${OWN_SHAPES} IS NOT TRUE`
      const message = says(words('the url of a label is '), shown(url))
      faults.addAll(recordsWhere('repositories', where, message, elementsOf('labels')))
    },
  },
  {
    code: 'owner-nested',
    severity: 'error',
    summary: 'A repository has one owner: exporters flatten sub-groups such as a/b to a-b',
    source: 'exporters whose archives were imported',
    run: (_, faults) =>
      faults.addAll(`SELECT NULL AS kind, NULL AS url, min(path) AS entry, NULL AS record,
          'the repository ' || substr(repository, 1, 120) || ' is in a sub-group' AS message
        FROM files WHERE repository GLOB '*/*/*' GROUP BY repository
        UNION ALL
        SELECT 'repositories', url, _entry, _record, 'the repository is in a sub-group'
        FROM repositories WHERE url GLOB 'http*://*/*/*/*'`),
  },
]
