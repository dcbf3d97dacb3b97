import { beforeFragment, firstOf } from './derivation.ts'
import { fullNameOf, loginOf, placeIn, textFrom } from './derived.ts'
import { defineKind, optional, refersTo, text, time } from './kind.ts'
import { actor } from './references.ts'

/** The parent of an attachment: always exactly one of these. */
const parents = {
  issue: optional(refersTo('issues', 'The issue whose description shows it.')),
  issue_comment: optional(refersTo('issue_comments', 'The comment that shows it.')),
  pull_request: optional(refersTo('pull_requests', 'The pull request whose description shows it.')),
  pull_request_review: optional(refersTo('pull_request_reviews', 'The review that shows it.')),
  pull_request_review_comment: optional(
    refersTo('pull_request_review_comments', 'The review comment that shows it.'),
  ),
  commit_comment: optional(refersTo('commit_comments', 'The comment on a commit that shows it.')),
}

export const attachments = defineKind({
  type: 'attachment',
  summary: 'Pictures and other files in the text of issues, pull requests, comments and reviews.',
  columns: {
    url: text('Identity: its address, exactly as the text of its parent has it.'),
    legacy_url: optional(text('An older address; null. Since 2024.')),
    ...parents,
    user: actor('Who uploaded it.'),
    asset_name: text('Name of the file.'),
    asset_content_type: text('Media type of the file, such as image/png.'),
    asset_url: text('The file in the archive, tarball://root/attachments/…, not percent-encoded.'),
    created_at: optional(time('When it was uploaded.')),
    created_date: optional(time('The same, as some other tools write it.')),
  },
  derived: {
    parent: textFrom(
      firstOf(...Object.keys(parents)),
      'The issue, pull request, comment or review that shows it, by url.',
    ),
    ...placeIn(beforeFragment('parent')),
    user_login: loginOf('user', 'who uploaded it'),
  },
})

export const repository_files = defineKind({
  type: 'repository_file',
  summary: 'Files other than pictures that were uploaded to issues, pull requests and comments.',
  columns: {
    url: text('Identity: its address, exactly as the text that links to it has it.'),
    repository: refersTo('repositories', 'The repository it was uploaded to.'),
    user: actor('Who uploaded it.'),
    file_name: text('Name of the file.'),
    file_content_type: text('Media type of the file, such as text/plain.'),
    file_url: text('The file in the archive, tarball://root/repository_files/….'),
    created_at: time('When it was uploaded.'),
  },
  derived: {
    full_name: fullNameOf('repository'),
    user_login: loginOf('user', 'who uploaded it'),
  },
})
