import { isUnreadable } from '../../../git/open-git.ts'
import { readGitFile } from '../../../reading/git/files.ts'
import { isMarkdown } from '../../../reading/git/folders.ts'
import { openWiki } from '../../../reading/git/repository-git.ts'
import { findInWiki, readWiki, type WikiPage } from '../../../reading/git/wiki.ts'
import { type Html, html, isolated } from '../../html.ts'
import { renderMarkdown } from '../../markdown/render-markdown.ts'
import { inRepository, type PageResult } from '../../page.ts'
import { blank, plural } from '../../parts/elements.ts'
import { repositoryPath } from '../../parts/layout.ts'
import { createMarkdownContext } from '../../text-context.ts'

/** A page of the wiki, or its first page, with the wiki's sidebar and footer and the list of all pages. */
export const wikiPage = inRepository(
  async (repository, { library, params }): Promise<PageResult> => {
    try {
      const git = openWiki(repository)
      if (!git) return undefined
      const pages = readWiki(git)
      const base = `${repositoryPath(repository)}/wiki`
      const named = params.page
      const page =
        named === undefined ? (findInWiki(pages, 'Home') ?? pages[0]) : findInWiki(pages, named)
      if (named !== undefined && !page) return undefined
      if (named !== undefined && page && page.name !== named) {
        return { redirect: `${base}/${encodeURIComponent(page.name)}` }
      }
      const render = async (
        one: WikiPage | undefined,
        level: number,
        idPrefix?: string,
      ): Promise<Html> => {
        if (!one) return html``
        const { text } = await readGitFile(git, one.oid)
        if (text === undefined) return blank('This page is not text, or too large to show')
        if (!isMarkdown(one.file)) return html`<pre class="plain">${text}</pre>`
        const context = createMarkdownContext(library, repository, `${base}/${one.name}`)
        return renderMarkdown(linkWiki(text), { ...context, level, idPrefix })
      }
      const listed = pages.filter(({ name }) => !name.startsWith('_'))
      const title = page ? page.name.replaceAll('-', ' ') : 'Wiki'
      const sidebar = await render(findInWiki(pages, '_Sidebar'), 2, 'sidebar-')
      const footer = await render(findInWiki(pages, '_Footer'), 2, 'footer-')
      const body = html`<div class="columns"><article class="main-column"><div class="bar-above"><h1>${isolated(title)}</h1></div>
${page ? html`<div class="body" dir="auto">${await render(page, 1)}</div>` : blank('This wiki has no pages')}
${String(footer) === '' ? '' : html`<div class="box in body wiki-foot" dir="auto">${footer}</div>`}</article>
<aside aria-label="Wiki">${String(sidebar) === '' ? '' : html`<section class="body" dir="auto">${sidebar}</section>`}
<section><h2>${plural(listed.length, 'page')}</h2><ul class="plain">${listed.map(({ name }) => html`<li><a href="${base}/${encodeURIComponent(name)}"${name === page?.name ? html` aria-current="page"` : ''}>${isolated(name.replaceAll('-', ' '))}</a></li>`)}</ul></section></aside></div>`
      return { title, body, repository, tab: 'wiki' }
    } catch (error) {
      if (!isUnreadable(error)) throw error
      const body = html`<h1 class="hidden">Wiki</h1>${blank('The wiki cannot be read', error.message)}`
      return { title: 'Wiki', body, repository, tab: 'wiki' }
    }
  },
)

/** `[[Page]]` and `[[words|Page]]` as links of Markdown, outside of code. */
function linkWiki(text: string): string {
  return text.replace(
    /(```[\s\S]*?(?:```|$)|`[^`\n]*`)|\[\[([^[\]|\n]{1,200})(?:\|([^[\]|\n]{1,200}))?\]\]/g,
    (whole, code: string | undefined, first = '', second: string | undefined) => {
      if (code !== undefined) return whole
      const page = encodeURIComponent((second ?? first).trim().replace(/\s+/g, '-'))
      return `[${first.trim().replace(/[\\[\]]/g, '\\$&')}](<${page}>)`
    },
  )
}
