import { fullNameOf, loginOf } from './derived.ts'
import { defineKind, flag, listOfObjects, refersTo, text, time } from './kind.ts'
import { actor } from './references.ts'

const releaseAssets = listOfObjects(
  {
    url: text('Address of the file on the host.'),
    user: actor('Who uploaded it.'),
    asset_name: text('Name of the file.'),
    asset_content_type: text('Media type of the file.'),
    asset_url: text('The file in the archive, tarball://root/releases/….'),
    created_at: time('When it was uploaded.'),
  },
  'Files of the release.',
)

export const releases = defineKind({
  type: 'release',
  summary: 'Releases, drafts among them.',
  columns: {
    url: text('Identity: https://H/o/r/releases/tag/tag; a draft has untagged-… for the tag.'),
    repository: refersTo('repositories', 'The repository it belongs to.'),
    user: actor('Who made it.'),
    name: text('The title; may be empty.'),
    tag_name: text('Name of the tag; of a draft untagged-….'),
    body: text('The notes in Markdown.'),
    state: text('published or draft.'),
    pending_tag: text('The tag still to be made; the same as tag_name in all archives known.'),
    prerelease: flag('Is it marked as not ready for everybody?'),
    target_commitish: text('Branch or commit that the tag is made from.'),
    release_assets: releaseAssets,
    published_at: time('When it was published; null for a draft.'),
    created_at: time('When it was made.'),
  },
  derived: {
    full_name: fullNameOf('repository'),
    user_login: loginOf('user', 'who made it'),
  },
})
