import { VERSION } from '../../base/version.ts'
import { listLabels } from '../../reading/labels.ts'
import type { Library, Repository } from '../../reading/library.ts'
import { countTabs } from '../../reading/repository-facts.ts'
import { ASSETS } from '../assets.ts'
import { type Html, type HtmlValue, html, isolated, shownText } from '../html.ts'
import { type IconName, icon } from '../icons.ts'
import type { PageRequest, PageView, Tab } from '../page.ts'
import { counter, pathTo, plural } from './elements.ts'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ')

/** The Content-Security-Policy of every page: nothing from other hosts, and nothing inline. A site has it in a `<meta>`. */
export const CONTENT_POLICY = `${POLICY}; frame-ancestors 'none'`

/** A whole page around what a page shows. */
export function layout(request: PageRequest, view: PageView): Html {
  const { isStatic, library } = request
  const { repository, title } = view
  // A browser shows the title as it is: a character that turns the order of others round would do so there.
  const full = shownText(repository ? `${title} · ${repository.fullName}` : title)
  const labels = repository && listLabels(repository).length > 0
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
${isStatic ? html`<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n` : ''}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="marc ${VERSION}">
<meta name="description" content="${full}: a page of a migration archive">
<title>${full}</title>
<link rel="icon" href="${ASSETS.icon.path}">
<link rel="stylesheet" href="${ASSETS.style.path}">
${labels ? html`<link rel="stylesheet" href="${repositoryPath(repository)}/-/labels.css">\n` : ''}${view.prev === undefined ? '' : html`<link rel="prev" href="${view.prev}">\n`}${view.next === undefined ? '' : html`<link rel="next" href="${view.next}">\n`}<script src="${ASSETS.script.path}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><div class="wide">
${banner(request, repository)}
</div></header>
${repository ? repositoryHead(repository, view.tab) : ''}
<main id="content" class="wide" tabindex="-1">
${view.body}
</main>
<footer class="wide foot">
${foot(library, view)}
</footer>
</body>
</html>
`
}

export const repositoryPath = ({ owner, name }: Repository): string => pathTo(owner, name)

function banner(
  { library, isStatic, query, scope, path }: PageRequest,
  repository: Repository | undefined,
): Html {
  const isOwn = library.audience === 'all'
  const [first, ...others] = library.stores
  const one = others.length === 0 && first ? first.title : plural(library.stores.length, 'database')
  // A stranger learns nothing about the archive.
  const name = isOwn ? one : 'Repositories'
  const links: [string, string, boolean][] = [
    ['/', 'Repositories', true],
    ['/-/people', 'People', isOwn],
    ['/-/archives', 'Archives', isOwn],
    ['/-/questions', 'Questions', isOwn],
  ]
  return html`<a class="brand" href="/">${icon('archive')} <strong>${isolated(name)}</strong></a>
${(isStatic ? scope.search : isOwn) && path !== '/search' ? searchForm(query, repository) : ''}
<nav aria-label="Archive"><ul>${links.map(([path, text, isShown]) => (isShown ? html`<li><a href="${path}">${text}</a></li>` : ''))}</ul></nav>`
}

const searchForm = (query: URLSearchParams, repository: Repository | undefined): Html =>
  html`<form class="search" action="/search" role="search"><button type="submit" aria-label="Search">${icon('search')}</button>
<input type="search" name="q" value="${query.get('q') ?? ''}" aria-label="Search" placeholder="${repository ? 'Search this repository' : 'Search'}" data-search>
${repository ? html`<input type="hidden" name="repo" value="${repository.fullName}">` : ''}<kbd aria-hidden="true">/</kbd></form>`

function repositoryHead(repository: Repository, tab: Tab | undefined): Html {
  const { owner, name, fullName, isPrivate } = repository
  const base = repositoryPath(repository)
  const counts = countTabs(repository)
  const tabs: [Tab, string, string, IconName, number | undefined, boolean][] = [
    ['code', base, repository.git ? 'Code' : 'Overview', 'code', undefined, true],
    ['issues', `${base}/issues`, 'Issues', 'issue-opened', counts.issues, true],
    ['pulls', `${base}/pulls`, 'Pull requests', 'git-pull-request', counts.pulls, true],
    [
      'discussions',
      `${base}/discussions`,
      'Discussions',
      'comment-discussion',
      counts.discussions,
      counts.discussions > 0,
    ],
    ['wiki', `${base}/wiki`, 'Wiki', 'book', undefined, repository.wiki !== undefined],
    ['releases', `${base}/releases`, 'Releases', 'tag', counts.releases, counts.releases > 0],
    ['projects', `${base}/projects`, 'Projects', 'project', counts.projects, counts.projects > 0],
    ['charts', `${base}/pulse`, 'Charts', 'graph', undefined, true],
  ]
  return html`<section class="head" aria-label="Repository"><div class="wide">
<p class="where">${icon(isPrivate ? 'lock' : 'repo')} <a href="${pathTo(owner)}">${isolated(owner)}</a> <span>/</span> <a class="name" href="${base}">${isolated(name)}</a>${isPrivate ? html` <span class="pill-line">Private</span>` : ''}</p>
<nav class="tabs" aria-label="Parts of ${fullName}"><ul>${tabs.map(
    ([id, to, text, sign, count, isShown]) =>
      isShown
        ? html`<li><a href="${to}"${id === tab ? html` aria-current="page"` : ''}>${icon(sign)} <span>${text}</span>${count === undefined ? '' : html` ${counter(count)}`}</a></li>`
        : '',
  )}</ul></nav>
</div></section>`
}

function foot({ audience }: Library, { source }: PageView): Html {
  const items: HtmlValue[] = [
    source,
    'Nothing on this page comes from the network',
    audience === 'all' ? html`<a href="/-/problems">Problems of the archive</a>` : undefined,
    html`<a href="/-/keys">Keys</a>`,
    html`<a href="/-/about">About these pages</a>`,
  ]
  return html`<ul>${items.map((item) => (item === undefined ? '' : html`<li>${item}</li>`))}</ul>`
}
