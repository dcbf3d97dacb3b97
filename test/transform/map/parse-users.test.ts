import { describe, expect, test } from 'vitest'
import { parseUsers } from '../../../src/transform/map/parse-users.ts'

const parse = (text: string | Uint8Array) => parseUsers(Buffer.from(text as string), 'users.csv')
const place = (line: number) => `users.csv, line ${line}`

describe('Lines are read', () => {
  test.each([
    ['old,new\nada,grace\n', [['ada', 'grace', 2]]],
    ['\ufeffnew,name,old\r\ngrace,"Ada, of course",@ada\r\n', [['ada', 'grace', 2]]],
    ['old,new\nada,\nbob,eve\n', [['bob', 'eve', 3]]],
    ['old,new\nhttps://a.example/ada,https://b.example/grace/\n', [['ada', 'grace', 2]]],
    ['mannequin-user,mannequin-id,target-user\nada,M_1,grace\n', [['ada', 'grace', 2]]],
    [
      'model_name,source_url,target_url,recommended_action\nuser,https://a/ada,https://b/grace,map\norganization,https://a/x,https://b/y,skip\nmilestone,https://a/x/y/milestones/1,,skip\n',
      [
        ['ada', 'grace', 2],
        ['x', 'x', 3],
      ],
    ],
  ])('of %j', async (text, expected) => {
    const { logins } = await parse(text)
    expect(logins).toEqual(
      expected.map(([old, now, line]) => ({ old, new: now, place: place(line as number) })),
    )
  })

  test('of repositories', async () => {
    expect((await parse('old,new\nacme/tools,acme/kit\n')).repositories).toEqual([
      { old: 'acme/tools', new: 'acme/kit', place: place(2) },
    ])
  })
})

describe('A file is refused, with its line,', () => {
  test.each([
    ['', 1, 'expected the columns old,new, found ""'],
    ['ada,grace\n', 1, 'expected the columns old,new, found "ada,grace"'],
    ['old;new\nada;grace\n', 1, 'expected columns separated by commas, found "old;new"'],
    ['old\tnew\nada\tgrace\n', 1, 'expected columns separated by commas, found "old\\tnew"'],
    [
      'old,new,team\nada,grace,x\n',
      1,
      'expected the columns old,new,name,email,records, found "team"',
    ],
    ['old,new,new\nada,grace,x\n', 1, 'the column new is there twice'],
    ['old,new\nada,grace\nbob\n', 3, 'expected as many values as the header has columns'],
    ['old,new\nada,"grace\n', 2, 'a quote is not closed'],
    ['old,new\n,grace\n', 2, 'the old name is missing'],
    ['old,new\na b,grace\n', 2, 'expected a login or a URL, found "a b"'],
    [Buffer.from('\ufeffold,new\n', 'utf16le'), 1, 'expected UTF-8, found UTF-16'],
    [
      'model_name,source_url,target_url,recommended_action\nteam,https://a/x,https://b/y,map\n',
      2,
      'only users, organizations and repositories are renamed, not a team',
    ],
    [
      'model_name,source_url,target_url,recommended_action\nuser,https://a/x,https://b/y,burn\n',
      2,
      'expected map, rename, merge or skip, found "burn"',
    ],
  ])('that is %j', async (text, line, message) => {
    await expect(parse(text)).rejects.toMatchObject({
      code: 'map-invalid',
      message,
      place: { entry: place(line) },
    })
  })

  test('that is no text', async () => {
    await expect(parse(new Uint8Array([0x6f, 0xff, 0x2c]))).rejects.toMatchObject({
      message: 'expected UTF-8, found other bytes',
    })
  })
})
