import { fullNameOf, loginOf, ownNumber } from './derived.ts'
import { defineKind, refersTo, text, time } from './kind.ts'
import { actor, labels, reactions } from './references.ts'

export const discussion_categories = defineKind({
  type: 'discussion_category',
  summary: 'Categories of discussions; the host makes six in every repository.',
  columns: {
    url: text('Identity: https://H/o/r/discussion_categories/name, the name percent-encoded.'),
    repository: refersTo('repositories', 'The repository it belongs to.'),
    name: text('Its name.'),
    emoji: text('The emoji before the name, as a short code such as :pray:.'),
    description: text('Its purpose.'),
  },
  derived: { full_name: fullNameOf('repository') },
})

export const discussions = defineKind({
  type: 'discussion',
  summary: 'Discussions. Their comments were never seen in an archive.',
  columns: {
    url: text('Identity: https://H/o/r/discussions/N.'),
    repository: refersTo('repositories', 'The repository it belongs to.'),
    user: actor('Who opened it; null for a deleted account.'),
    title: text('The title.'),
    body: text('The text in Markdown.'),
    labels,
    reactions,
    created_at: time('When it was opened.'),
    updated_at: time('When it last changed.'),
    discussion_category: refersTo('discussion_categories', 'The category it is in.'),
  },
  derived: {
    full_name: fullNameOf('repository'),
    number: ownNumber,
    user_login: loginOf('user', 'who opened it'),
  },
})
