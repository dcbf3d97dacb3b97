import { expect, test } from 'vitest'
import { SIGNS, uploadLinks } from '../../src/records/upload-links.ts'

test.each([
  'https://github.com/user-attachments/assets/5f1c7a52-9d0e-4b61-8f3a-2c6d1e0b7a94',
  'https://github.com/user-attachments/files/18204417/sleep-log.txt',
  'https://github.com/acme/tools/files/123/a%20b.txt',
  'https://github.com/acme/tools/assets/42/5f1c7a52-9d0e-4b61-8f3a-2c6d1e0b7a94',
  'https://user-images.githubusercontent.com/42/1-5f1c7a52.png',
  'https://code.example/storage/user/3/files/5f1c7a52',
  'http://code.example/user-attachments/assets/1',
])('finds %s, however it is linked', (link) => {
  for (const text of [
    link,
    `![a picture](${link})`,
    `[a](${link} "title"), and more`,
    `<img width="200" src="${link}">`,
    `<${link}>`,
    `see ${link}.`,
    `(see ${link})`,
    `[ref]: ${link}\r\n`,
    `**${link}**`,
  ]) {
    expect(uploadLinks(text), text).toEqual([link])
    expect(SIGNS.some((sign) => text.includes(sign))).toBe(true)
  }
})

test.each([
  'https://github.com/acme/tools/pull/3/files',
  'https://github.com/acme/tools/pull/3/files#r7',
  'https://github.com/acme/tools/blob/main/assets/1/a.png',
  'https://github.com/user-attachments/assets/',
  'https://evil.example/?https://github.com/user-attachments',
  'user-attachments/assets/1',
])('takes %s for no upload', (text) => {
  expect(uploadLinks(text)).toEqual([])
})

test('finds each link once, in their order', () => {
  const [a, b] = ['https://H/user-attachments/assets/a', 'https://H/user-attachments/assets/b']
  expect(uploadLinks(`![](${b})![](${a})[![](${b})](${b})`)).toEqual([b, a])
})

test('keeps parentheses that belong to the link', () => {
  const link = 'https://H/user-attachments/files/1/copy(2).txt'
  expect(uploadLinks(`[copy](${link})`)).toEqual([link])
})
