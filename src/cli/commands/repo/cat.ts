import { findObject } from '../../../git/open-repository.ts'
import { defineCommand } from '../../command/command.ts'
import { shellWord, UsageError } from '../../command/usage-error.ts'
import { REPOSITORY_OPTIONS } from '../../options/repository-options.ts'
import { shownOnTerminal } from '../../output/shown-on-terminal.ts'
import { writeAll } from '../../output/write-all.ts'
import { withRepository } from '../../sources/with-repository.ts'

export const cat = defineCommand({
  usage: '<source> [repository] <object>',
  options: {
    ...REPOSITORY_OPTIONS,
    object: { type: 'string', demandOption: true, describe: 'revision:path, or an object ID' },
  },
  exits: [1],
  examples: [
    ['marc repo cat samples/organization.tar.gz harbour-lights/tidewatch main:README.md', 'a file'],
    [
      'marc repo cat samples/organization.tar.gz harbour-lights/tidewatch main',
      'a commit as Git stores it',
    ],
  ],
  async run({ object: named, ...given }, io) {
    return withRepository(given, io, async (repository) => {
      const object = findObject(repository, named)
      if (object.type === 'tree' || object.type === 'submodule') {
        const found = object.type === 'tree' ? 'folder' : 'submodule'
        const words = [given.source, repository.name, named].map(shellWord).join(' ')
        const hint = `Show it with: marc repo show ${words}`
        throw new UsageError(`expected a file, found a ${found}`, hint)
      }
      const { content } = object
      await writeAll(io.stdout, io.stdout.isTTY ? shownOnTerminal(content) : content)
    })
  },
})
