import { body } from './prose.ts'
import type { Random } from './random.ts'
import { reactions } from './records-subjects.ts'
import { later, type Subject, someSubject } from './subjects.ts'
import { date, host, randomOf, someAuthor, type World } from './world.ts'

export function issueComment(world: World, index: number): object {
  const random = randomOf(world, 'issue_comments', index)
  const { subject, author, url } = commentFacts(world, index, random)
  const at = later(subject, random)
  const stride = attachmentStride(world)
  const attachment = index % stride === 0 && index / stride < world.counts.attachments
  const text = body(random, 3)
  return {
    type: 'issue_comment',
    url,
    [subject.key]: subject.url,
    user: author,
    body: attachment ? `${text}\r\n\r\n![image](${imageAt(world, index / stride).url})` : text,
    formatter: random.chance(0.01) ? 'email' : 'markdown',
    reactions: reactions(world, 'IssueComment', at, random),
    created_at: date(at),
  }
}

/** Each image is linked from the body of a comment of its own. */
export function attachment(world: World, index: number): object {
  const comment = index * attachmentStride(world)
  const random = randomOf(world, 'issue_comments', comment)
  const { subject, author, url } = commentFacts(world, comment, random)
  const image = imageAt(world, index)
  return {
    type: 'attachment',
    url: image.url,
    legacy_url: null,
    issue_comment: url,
    user: author,
    asset_name: 'image.png',
    asset_content_type: 'image/png',
    asset_url: `tarball://root/attachments/${image.uuid}/image.png`,
    created_at: date(later(subject, random)),
  }
}

export function imageAt(world: World, index: number): { uuid: string; url: string } {
  const uuid = randomOf(world, 'attachments', index).uuid()
  return { uuid, url: `${host}/user-attachments/assets/${uuid}` }
}

/** Every so many comments, one has an image. */
function attachmentStride({ counts }: World): number {
  return Math.floor(counts.issue_comments / counts.attachments)
}

interface CommentFacts {
  readonly subject: Subject
  readonly author: string
  readonly url: string
}

/** The facts of a comment that other records need; draws the first of its random numbers. */
function commentFacts(world: World, index: number, random: Random): CommentFacts {
  const subject = someSubject(world, random)
  const author = someAuthor(world, random)
  const id = 31_000_000 + index * 11 + random.below(11)
  return { subject, author, url: `${subject.url}#issuecomment-${id}` }
}
