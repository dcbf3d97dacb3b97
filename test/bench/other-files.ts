import { Random } from './random.ts'
import { imageAt } from './records-talk.ts'
import { uploadAt } from './records-uploads.ts'
import { owner, repositoryNames, type World } from './world.ts'

/** A file, or a directory if its name ends with a slash, named without the leading `./`. */
export interface Part {
  readonly name: string
  readonly size: number
  readonly content: () => Iterable<Uint8Array>
}

/** The entries besides JSON, by top folder; each folder precedes its contents. */
export function* folders(world: World, packBytes: number): Generator<Iterable<Part>> {
  yield repositories(world, packBytes)
  if (world.counts.attachments > 0) yield attachments(world)
  if (world.counts.repository_files > 0) yield repositoryFiles(world)
}

function part(name: string, text = ''): Part {
  const bytes = Buffer.from(text)
  return { name, size: bytes.length, content: () => [bytes] }
}

/** Bare repositories, empty but for a pack, if it has a size, that only looks like one. */
function* repositories(world: World, packBytes: number): Generator<Part> {
  yield part('repositories/')
  yield part(`repositories/${owner}/`)
  for (const [index, repository] of repositoryNames.entries()) {
    const root = `repositories/${owner}/${repository}.git/`
    for (const folder of ['', 'objects/', 'objects/pack/', 'refs/', 'refs/heads/', 'refs/tags/']) {
      yield part(root + folder)
    }
    yield part(`${root}HEAD`, 'ref: refs/heads/main\n')
    yield part(`${root}config`, '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
    if (index === 0 && packBytes > 0) {
      const random = new Random(world.seed, 3, 0)
      const name = `${root}objects/pack/pack-${random.hex(40)}.pack`
      yield { name, size: packBytes, content: () => noise(packBytes, random) }
    }
  }
}

function* attachments(world: World): Generator<Part> {
  yield part('attachments/')
  for (let index = 0; index < world.counts.attachments; index++) {
    const { uuid } = imageAt(world, index)
    yield part(`attachments/${uuid}/`)
    const random = new Random(world.seed, 4, index)
    const size = 100 + random.below(400)
    const content = () => noise(size, random)
    yield { name: `attachments/${uuid}/image.png`, size, content }
  }
}

function* repositoryFiles({ counts }: World): Generator<Part> {
  yield part('repository_files/')
  for (let index = 0; index < counts.repository_files; index++) {
    const { number, name } = uploadAt(index)
    yield part(`repository_files/${number}/`)
    yield part(`repository_files/${number}/${name}`, `trace ${index}\n`)
  }
}

const pieceSize = 1 << 16

/** Bytes that cannot be compressed. */
function* noise(size: number, random: Random): Generator<Uint8Array> {
  for (let left = size; left > 0; left -= pieceSize) {
    const length = Math.min(left, pieceSize)
    const piece = Buffer.alloc(Math.ceil(length / 4) * 4)
    for (let at = 0; at < length; at += 4) piece.writeUInt32LE(random.next(), at)
    yield piece.subarray(0, length)
  }
}
