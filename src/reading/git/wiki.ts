import { readCommit } from '../../git/history/walk-commits.ts'
import { walkTree } from '../../git/objects/walk-tree.ts'
import { type GitData, keep } from '../../git/open-git.ts'
import { isFolder, isLink, isSubmodule } from '../../git/parse/parse-tree.ts'
import { defaultRevision } from './revisions.ts'

/** A page of a wiki: a file in its repository. */
export interface WikiPage {
  /** As in addresses: the name of the file without its ending. */
  readonly name: string
  readonly file: string
  readonly oid: string
}

/** Files of a wiki that are looked at. */
const MOST = 5_000

const WRITTEN =
  /\.(?:md|markdown|mkd|mdown|rst|textile|org|asciidoc|adoc|creole|mediawiki|pod|rdoc|txt)$/i

const remember = keep<readonly WikiPage[]>(1)

/** The pages of a wiki, in the order of their paths. Throws as `readTree` does. */
export const readWiki = (git: GitData): readonly WikiPage[] =>
  remember(git, '', () => {
    const revision = defaultRevision(git, undefined)
    if (!revision) return []
    const pages: WikiPage[] = []
    for (const entry of walkTree(git.objects, readCommit(git.objects, revision.oid).tree)) {
      if (isFolder(entry) || isLink(entry) || isSubmodule(entry)) continue
      if (!WRITTEN.test(entry.name)) continue
      pages.push({ name: entry.name.replace(WRITTEN, ''), file: entry.name, oid: entry.oid })
      if (pages.length === MOST) break
    }
    return pages
  })

const fold = (name: string): string => name.replace(/[\s_]+/g, '-').toLowerCase()

/** The page with a name; spaces, hyphens and case do not matter. */
export const findInWiki = (pages: readonly WikiPage[], name: string): WikiPage | undefined =>
  pages.find((page) => page.name === name) ?? pages.find((page) => fold(page.name) === fold(name))
