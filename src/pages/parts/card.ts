import type { Text, Upload } from '../../reading/threads/thread.ts'
import { type Html, html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import type { MarkdownContext } from '../markdown/markdown-context.ts'
import { renderMarkdown } from '../markdown/render-markdown.ts'
import { avatar, bounded, formatSize, lastItem, person, when } from './elements.ts'

/** The facts of a thread that its texts need. */
export interface ThreadContext {
  readonly markdown: MarkdownContext
  /** Login of who opened the thread. */
  readonly opener: string | null
  /** The path of the repository. */
  readonly base: string
  /** The path of the file of an upload; undefined if the archive does not have it. */
  readonly uploadPath: (url: string) => string | undefined
  /** Where an address on the host leads. */
  readonly localPath: (url: string) => string | undefined
  /** Whether an address names a repository that these pages may not name. */
  readonly hides: (url: string, isFork?: boolean) => boolean
}

/** Kinds of reactions, and files, of one text. */
const MOST = 100

const REACTIONS: Readonly<Record<string, [string, string]>> = {
  '+1': ['👍', 'thumbs up'],
  '-1': ['👎', 'thumbs down'],
  smile: ['😄', 'laugh'],
  laugh: ['😄', 'laugh'],
  tada: ['🎉', 'hooray'],
  hooray: ['🎉', 'hooray'],
  thinking_face: ['😕', 'confused'],
  confused: ['😕', 'confused'],
  heart: ['❤️', 'heart'],
  rocket: ['🚀', 'rocket'],
  eyes: ['👀', 'eyes'],
}

export function reactions(counts: Readonly<Record<string, number>>): Html {
  const all = Object.entries(counts)
  if (all.length === 0) return html``
  return html`<ul class="reactions" aria-label="Reactions">${bounded(
    all,
    MOST,
    ([content, count]) => {
      const [sign, word] = REACTIONS[content] ?? [content, content]
      return html`<li title="${word}"><span aria-hidden="true">${sign}</span> <span class="hidden">${word}: </span>${count}</li>`
    },
    lastItem,
  )}</ul>`
}

/** The text of a record as HTML, with what is attached to it and its reactions. */
export function bodyOf(text: Text, { markdown, uploadPath }: ThreadContext, level = 2): Html {
  const { body, attachments } = text
  const isEmpty = body === null || body.trim() === ''
  return html`<div class="body" dir="auto">${
    isEmpty
      ? html`<p class="muted"><em>No description.</em></p>`
      : renderMarkdown(body, { ...markdown, level, idPrefix: idPrefixOf(text.url) })
  }</div>${attachmentList(
    attachments.filter(({ url }) => !body?.includes(url)),
    uploadPath,
  )}${reactions(text.reactions)}`
}

function attachmentList(uploads: readonly Upload[], uploadPath: ThreadContext['uploadPath']): Html {
  if (uploads.length === 0) return html``
  return html`<ul class="attachments">${bounded(
    uploads,
    MOST,
    ({ url, name, size }) => {
      const path = uploadPath(url)
      const text = name ?? url.slice(url.lastIndexOf('/') + 1)
      return html`<li>${icon('paperclip')} ${
        path === undefined
          ? html`${isolated(text)} <span class="muted">not in the archive</span>`
          : html`<a href="${path}">${isolated(text)}</a> <span class="muted">${size === null ? '' : formatSize(size)}</span>`
      }</li>`
    },
    lastItem,
  )}</ul>`
}

/** The fragment of a url, which is the anchor on the host. */
export function anchorOf(url: string | null): string | undefined {
  const anchor = url === null ? '' : url.slice(url.indexOf('#') + 1)
  return url?.includes('#') && /^[\w-]{1,80}$/.test(anchor) ? anchor : undefined
}

/** The beginning of the ids of a text; none for the text that opens a thread. */
function idPrefixOf(url: string | null): string | undefined {
  const anchor = anchorOf(url)
  return anchor && `${anchor}-`
}

/** A comment with its author on the left. */
export function commentCard(
  text: Text,
  context: ThreadContext,
  did: string,
  anchor = anchorOf(text.url),
): Html {
  const { author, created_at } = text
  const isOpener = author !== null && author === context.opener
  const roles = [...(isOpener ? ['Author'] : []), ...(author?.endsWith('[bot]') ? ['Bot'] : [])]
  return html`<li class="item"${anchor === undefined ? '' : html` id="${anchor}"`}>${avatar(author, 'large')}
<article class="card${isOpener ? ' by-opener' : ''}"><header><h2 class="line">${person(author)} <span class="did">${did}</span> ${permanent(anchor, created_at)}</h2>${roles.map((role) => html` <span class="pill-line">${role}</span>`)}</header>
<div class="in">${bodyOf(text, context)}</div></article></li>`
}

/** The time of an item, a link to the item itself. */
export const permanent = (anchor: string | undefined, time: string | null, show = when): Html =>
  anchor === undefined
    ? html`${show(time)}`
    : html`<a class="at" href="#${anchor}">${show(time)}</a>`
