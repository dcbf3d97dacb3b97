import { firstOf } from './derivation.ts'
import { fullNameOf, loginOf, ownId, ownNumber, placeIn } from './derived.ts'
import { defineKind, flag, refersTo, text, time } from './kind.ts'
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
  summary: 'Discussions.',
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

export const discussion_comments = defineKind({
  type: 'discussion_comment',
  summary:
    'Comments on discussions. Only archives made of backups have them: no export of the host does.',
  columns: {
    url: text('Identity: https://H/o/r/discussions/N#discussioncomment-I.'),
    discussion: refersTo('discussions', 'The discussion it belongs to.'),
    user: actor('Who wrote it; null for a deleted account.'),
    body: text('The text in Markdown.'),
    in_reply_to: refersTo('discussion_comments', 'The comment it replies to; null for none.'),
    is_answer: flag('Whether it was marked as the answer.'),
    reactions,
    created_at: time('When it was written.'),
    updated_at: time('When it last changed.'),
  },
  derived: {
    id: ownId,
    ...placeIn(firstOf('discussion'), 'discussion'),
    user_login: loginOf('user', 'who wrote it'),
  },
})
