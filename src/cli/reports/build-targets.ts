import { refuseExisting } from '../../files/write-file.ts'
import { UsageError } from '../command/usage-error.ts'
import { checkOutput } from './check/check-output.ts'

export interface BuildTarget {
  archive: string
  part: 'git' | 'metadata' | undefined
}

/** What to write where, after a look whether that can be. */
export async function buildTargets(
  output: string | undefined,
  { source, split, force }: { source: string; split: boolean; force: boolean },
): Promise<BuildTarget[]> {
  if (output === undefined) {
    throw new UsageError('the archive needs a name', 'Name it with: -o name.tar.gz')
  }
  if (output === '-' && !split) return [{ archive: output, part: undefined }]
  const made = {
    what: split ? 'a pair of archives' : 'an archive',
    example: 'name.tar.gz',
    source: 'what the archive is made of',
  }
  const [, name, ending] = /^(.*?)(\.tar\.gz|\.tgz|)$/is.exec(output) as unknown as string[]
  const targets = (split ? (['git', 'metadata'] as const) : [undefined]).map((part) => ({
    archive: part ? `${name}-${part}${ending}` : output,
    part,
  }))
  await checkOutput(output, [source], made)
  for (const { archive } of targets) {
    await checkOutput(archive, [source], made)
    if (!force) refuseExisting(archive)
  }
  return targets
}
