import { isGivenAsNull } from './members.ts'
import type { Rule } from './rule.ts'
import { recordsWhere } from './sql/record-select.ts'

/** Wikis: the members that name them, and their HEAD. */
export const wikiRules: readonly Rule[] = [
  {
    code: 'wiki-url-empty',
    severity: 'error',
    summary: 'A repository without a wiki must omit wiki_url: empty or null stops an importer',
    evidence: 'documented',
    source: "importer's error message InvalidTarballUrl",
    run: (_, faults) =>
      faults.addAll(
        recordsWhere(
          'repositories',
          `o.wiki_url = '' OR ${isGivenAsNull('repositories', 'wiki_url')}`,
          `'wiki_url is ' || iif(o.wiki_url IS NULL, 'null, as _member_order lists it', 'empty')`,
        ),
      ),
    test: ({ name, record: { wiki_url } }) =>
      name === 'repositories' && (wiki_url === null || wiki_url === '')
        ? [{ member: 'wiki_url', message: 'must be absent if there is no wiki' }]
        : [],
  },
  {
    code: 'wiki-head',
    severity: 'error',
    summary: "An importer looks for a wiki's pages in its branch master",
    evidence: 'documented',
    source: 'exporters whose archives were imported',
    run: (_, faults) =>
      faults.addAll(
        `SELECT NULL AS kind, NULL AS url, 'repositories/' || repository || '.git/HEAD' AS entry,
           NULL AS record, 'HEAD names ' || coalesce(substr(target, 1, 120), 'no branch') AS message
         FROM refs WHERE name = 'HEAD' AND repository GLOB '*.wiki'
           AND target IS NOT 'refs/heads/master'`,
      ),
  },
]
