import { issueAt } from './subjects.ts'
import { date, host, randomOf, repositoryUrl, someUser, type World } from './world.ts'

/** Each upload is linked from the body of an issue of its own. */
export function repositoryFile(world: World, index: number): object {
  const { number, name } = uploadAt(index)
  const issue = issueAt(world, index * uploadStride(world))
  return {
    type: 'repository_file',
    url: uploadUrl(index),
    repository: repositoryUrl(issue.repository),
    user: someUser(world, randomOf(world, 'repository_files', index)),
    file_name: name,
    file_content_type: 'text/plain',
    file_url: `tarball://root/repository_files/${number}/${name}`,
    created_at: date(issue.opened),
  }
}

export function uploadAt(index: number): { number: number; name: string } {
  return { number: 5_000_000 + index * 3, name: `trace@${index}.txt` }
}

export function uploadUrl(index: number): string {
  const { number, name } = uploadAt(index)
  return `${host}/user-attachments/files/${number}/${encodeURIComponent(name)}`
}

/** Every so many issues, one has an upload. */
export function uploadStride({ counts }: World): number {
  return Math.floor(counts.issues / counts.repository_files)
}
