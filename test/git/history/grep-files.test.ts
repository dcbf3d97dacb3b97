import { expect, test } from 'vitest'
import { grepFiles } from '../../../src/git/history/grep-files.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { looseOf, oidOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import { loaded } from '../../support/load.ts'

test('Text files are searched line by line, as UTF-8 or Latin-1; binary files and links are not', async () => {
  const files: Record<string, string> = {
    'a.txt': 'Grüße\r\nno\nGRÜSSE, grüße',
    'b.bin': 'Grüße\0',
    'c.txt': 'Gr\xfc\xdfe\n',
    link: 'Grüße',
  }
  const bytesOf = (name: string) =>
    Buffer.from(files[name] as string, name === 'c.txt' ? 'latin1' : 'utf8')
  const names = Object.keys(files)
  const tree = treeOf(
    ...names.map(
      (name) =>
        [name === 'link' ? '120000' : '100644', name, oidOf('blob', bytesOf(name))] as const,
    ),
  )
  const objects = { ...looseOf('tree', tree) }
  for (const name of names) Object.assign(objects, looseOf('blob', bytesOf(name)))
  const { database } = await loaded(repositoryOf('ada/kettle', objects))
  const repository = openRepository(database, 'ada/kettle')
  const find = (text: string, ignoreCase: boolean) =>
    [...grepFiles(repository.objects, oidOf('tree', tree), text, { ignoreCase })].map(
      ({ path, line, text }) => `${path}:${line}:${text}`,
    )
  expect(find('Grüße', false)).toEqual(['a.txt:1:Grüße', 'c.txt:1:Grüße'])
  expect(find('grüße', true)).toEqual(['a.txt:1:Grüße', 'a.txt:3:GRÜSSE, grüße', 'c.txt:1:Grüße'])
})
