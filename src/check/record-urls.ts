import { quoteText } from '../database/quote.ts'
import { KINDS, type KindName } from '../records/kinds.ts'
import { URL_SHAPES, type UrlShapes, urlPattern } from '../records/url-shapes.ts'
import type { Check } from './check.ts'
import { elementMember, elementsOf, recordsWhere, says, shown, words } from './select-records.ts'

/** A pattern for the urls of a kind, and one of them in words; none for kinds without a shape. */
function shapeOf(kind: KindName | 'labels') {
  const shapes: UrlShapes = URL_SHAPES
  const shape = shapes[kind]
  if (shape === undefined) return undefined
  const template = typeof shape === 'string' ? shape : (Object.values(shape)[0] ?? '')
  return {
    pattern: urlPattern(shape).source,
    example: template.replaceAll(/\{[+/#]?(\w+)\}/g, '<$1>'),
  }
}

const fits = (url: string, pattern: string) => `marc_fits(${url}, ${quoteText(pattern)})`

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
        const shape = shapeOf(kind)
        if (!shape) continue
        const where = `o.url IS NOT NULL AND NOT ${fits('o.url', shape.pattern)}
          AND ${OWN_SHAPES} IS NOT TRUE`
        faults.addAll(recordsWhere(kind, where, words(`expected the form ${shape.example}`)))
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
      const pattern = shapeOf('labels')?.pattern ?? ''
      const where = `NOT ${fits(url, pattern)} AND ${OWN_SHAPES} IS NOT TRUE`
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
