import { describe, expect, test } from 'vitest'
import '../../../src/pages/kinds/git/find-file.ts'
import { htmlOf, sharePages } from '../../support/web.ts'

const TEA = '/mona-lindqvist/tea-timer'
const { ask } = sharePages()

/** The files that a page lists, where they lead, and the sentence above. */
async function listed(query = '') {
  const html = htmlOf(await ask(`${TEA}/find/main${query}`))
  return {
    files: [
      ...(/<ul class="box paths">[\s\S]*?<\/ul>/.exec(html)?.[0] ?? '').matchAll(
        /<li><a href="([^"]*)"/g,
      ),
    ].map(([, path]) => path),
    status: /role="status">([^<]*)/.exec(html)?.[1],
  }
}

describe('The list of files', () => {
  test('has every file of a revision, and is linked from its folders and files', async () => {
    const { files, status } = await listed()
    expect(files).toContain(`${TEA}/blob/main/src/timer.js`)
    expect(status).toBe(`${files.length} files`)
    for (const path of [TEA, `${TEA}/tree/main/src`, `${TEA}/blob/main/src/timer.js`]) {
      expect(htmlOf(await ask(path)), path).toContain(`href="${TEA}/find/main" data-find-file`)
    }
  })

  test('is narrowed by a part of the path, in any case', async () => {
    expect(await listed('?q=SRC/ti')).toEqual({
      files: [`${TEA}/blob/main/src/timer.js`],
      status: '1 file',
    })
    expect(await listed('?q=nothing-like-it')).toMatchObject({ files: [], status: '0 files' })
  })

  test('is not there for a path, or an unknown revision', async () => {
    expect(await ask(`${TEA}/find/main/src`)).toMatchObject({ status: 404 })
    expect(await ask(`${TEA}/find/none`)).toMatchObject({ status: 404 })
  })
})
