import { describe, expect, it } from 'vitest'
import { MAX_VALUE_BYTES } from '../../../src/import/json/json-window.ts'
import { elementsOf, written } from '../rig/json-text.ts'

const TRADE = '{"e":"trade","E":1723161256000,"p":"61837.63000000","q":0.00100,"m":true}'

/** Each element as `line:column path prefix json`, as short as it says something. */
async function reported(text: string | Uint8Array): Promise<string[]> {
  const { elements, error } = await elementsOf(text)
  const lines = elements.map(({ value, line, column, path, prefix }) =>
    [
      `${line}:${column}`,
      ...(path.length > 0 ? [path.join('.')] : []),
      ...(prefix !== undefined ? [prefix] : []),
      written(value),
    ].join(' '),
  )
  return error === undefined ? lines : [...lines, error]
}

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('elements of a recording in JSON', () => {
  it.each<[string, string, string[]]>([
    ['JSON lines', `${TRADE}\n${TRADE}\n`, [`1:1 ${TRADE}`, `2:1 ${TRADE}`]],
    ['no line end behind the last line', '{"a":1}\n{"a":2}', ['1:1 {"a":1}', '2:1 {"a":2}']],
    ['CRLF and a byte order mark', '\ufeff{"a":1}\r\n{"a":2}\r\n', ['1:1 {"a":1}', '2:1 {"a":2}']],
    ['empty lines at the end', '{"a":1}\n{"a":2}\n\n \r\n', ['1:1 {"a":1}', '2:1 {"a":2}']],
    ['blanks around a value', ' {"a":1}\t\n  {"a":2} \n', ['1:2 {"a":1}', '2:3 {"a":2}']],
    [
      'a time before the value',
      '1723161256000000000 {"a":1}\n17\t {"a":2}\n',
      ['1:21 1723161256000000000 {"a":1}', '2:5 17 {"a":2}'],
    ],
    ['a time before some', '{"a":1}\n17 {"a":2}\n', ['1:1 {"a":1}', '2:4 17 {"a":2}']],
    ['lines of arrays', '[1,"2"]\n[3,"4"]\n', ['1:1 [1,"2"]', '2:1 [3,"4"]']],
    [
      'lines of plain values',
      '1 \n"a"\nnull\ntrue\n-0.5e-7\n5 6',
      ['1:1 1', '2:1 "a"', '3:1 null', '4:1 true', '5:1 -0.5e-7', '6:3 5 6'],
    ],
    ['lines that hold lists', '{"t":[{}]}\n{"t":[{}]}', ['1:1 {"t":[{}]}', '2:1 {"t":[{}]}']],
    ['one line', TRADE, [`1:1 ${TRADE}`]],
    ['one object over several lines', '{\n"a": 1\n}\n', ['1:1 {"a":1}']],
    ['an array', '[{"a":1}, {"a":2},\n{"a":3}]\n', ['1:2 {"a":1}', '1:11 {"a":2}', '2:1 {"a":3}']],
    ['an array of arrays', '[[1,"2"],[3,"4"]]', ['1:2 [1,"2"]', '1:10 [3,"4"]']],
    ['an array of anything', '[1,"a",null,[]]', ['1:2 1', '1:4 "a"', '1:8 null', '1:13 []']],
    ['an empty array', ' [ ]\n', []],
    ['a pretty array', '\ufeff[\r\n  {\r\n    "a": 1\r\n  },\r\n  {}\r\n]\r\n', ['2:3 {"a":1}', '5:3 {}']],
    ['a list', '{"trades":[{"a":1},{"a":2}]}', ['1:12 trades {"a":1}', '1:20 trades {"a":2}']],
    ['a list behind another member', '{"code":"0","msg":"","data":[["1","2"]]}', ['1:30 data ["1","2"]']],
    ['a list two deep', '{"result":{"category":"spot","list":[{"a":1}]},"time":5}', ['1:38 result.list {"a":1}']],
    ['a list three deep', '{"a":{"b":{"c":[[1]]}}}', ['1:17 a.b.c [1]']],
    ['a list four deep is none', '{"a":{"b":{"c":{"d":[[1]]}}}}', ['1:1 {"a":{"b":{"c":{"d":[[1]]}}}}']],
    [
      'Kraken',
      '{"error":[],"result":{"XXBTZUSD":[["3.1","5.2"],["3.2","1"]],"last":"17"}}',
      ['1:35 result.XXBTZUSD ["3.1","5.2"]', '1:49 result.XXBTZUSD ["3.2","1"]'],
    ],
    ['a list of texts is none', '{"columns":["a","b"],"rows":[[1,2]]}', ['1:30 rows [1,2]']],
    ['an empty list', '{"code":"0","data":[]}', []],
    [
      'keys that are special in JavaScript',
      '{"__proto__":[{"constructor":1,"__proto__":2}]}',
      ['1:15 __proto__ {"constructor":1,"__proto__":2}'],
    ],
    ['a column counts bytes', '["\u20ac",1]', ['1:2 "\u20ac"', '1:8 1']],
    [
      'all that can be escaped',
      String.raw`["\"\\\/\b\f\n\r\t\u20AC\ud83d\ude00\ud800"]`,
      [String.raw`1:2 "\"\\/\b\f\n\r\t` + '\u20ac\u{1f600}' + String.raw`\ud800"`],
    ],
    ['as deep as allowed', deep(32), [`1:2 ${deep(31)}`]],
  ])('%s', async (_, text, expected) => {
    expect(await reported(text)).toEqual(expected)
  })

  it.each<[string, string | Uint8Array, string[]]>([
    ['nothing', '', ['t.json: expected JSON, got nothing']],
    ['a byte order mark alone', '\ufeff', ['t.json: expected JSON, got nothing']],
    ['blanks alone', ' \n\n', ['t.json: expected JSON, got nothing']],
    [
      'UTF-16',
      Buffer.from('\ufeff{}', 'utf16le'),
      ['t.json:1:1: expected UTF-8, got UTF-16: convert the file to UTF-8'],
    ],
    ['HTML', '<html>', ["t.json:1:1: expected a value, got '<html>'"]],
    ['a comma at the end of an array', '[1,\n2,]', ["t.json:2:3: expected a value, got ']'"]],
    ['a comma at the end of an object', '{"a":1,}', [`t.json:1:8: expected a key that begins with '"', got '}'`]],
    ['NaN', '[NaN]', ["t.json:1:2: expected a value, got 'NaN]'"]],
    ['Infinity', '[-Infinity]', ["t.json:1:3: expected a digit behind '-', got 'Infinity]'"]],
    ['a bare word', '[nil]', ["t.json:1:2: expected a value, got 'nil]'"]],
    ['a word that goes on', '[1,truest]', ["t.json:1:8: expected ',' or ']', got 'st]'"]],
    ['a comment', '[1, // one\n2]', ["t.json:1:5: expected a value, got '// one'"]],
    ['single quotes', "{'a':1}", [`t.json:1:2: expected a key that begins with '"', got ''a':1}'`]],
    ['a leading zero', '[01]', ["t.json:1:3: expected ',' or ']', got '1]'"]],
    ['a leading plus', '[+1]', ["t.json:1:2: expected a value, got '+1]'"]],
    ['a point without digits', '[1.]', ["t.json:1:4: expected a digit behind '.', got ']'"]],
    ['an exponent without digits', '[1e+]', ["t.json:1:5: expected a digit of an exponent, got ']'"]],
    ['a missing colon', '{"a" 1}', ["t.json:1:6: expected ':' behind a key, got '1}'"]],
    [
      'a key twice',
      '{"a":1}\n{"a":1,"b":2,"a":3}',
      ['1:1 {"a":1}', "t.json:2:14: expected each key once, got 'a' again"],
    ],
    [
      'a key twice, once escaped',
      String.raw`{"a":1,"\u0061":2}`,
      ["t.json:1:8: expected each key once, got 'a' again"],
    ],
    ['a key twice around a list', '{"d":[{}],"d":1}', ["t.json:1:11: expected each key once, got 'd' again"]],
    [
      'a line end in a string',
      '["a\nb"]',
      [`t.json:1:4: expected '"' at the end of a string, or more of it, got the end of the line`],
    ],
    [
      'a control character in a string',
      '["a\u0001"]',
      [String.raw`t.json:1:4: expected '"' at the end of a string, or more of it, got '\u0001"]'`],
    ],
    [
      'a NUL byte',
      '["a\u0000"]',
      [`t.json:1:4: expected '"' at the end of a string, or more of it, got a NUL byte: is this a binary file?`],
    ],
    [
      'an unknown escape',
      String.raw`["\x41"]`,
      [String.raw`t.json:1:4: expected one of "\/bfnrtu behind '\', got 'x41"]'`],
    ],
    [
      'a short escape',
      String.raw`["\u00g1"]`,
      [String.raw`t.json:1:7: expected four hexadecimal digits behind '\u', got 'g1"]'`],
    ],
    ['cut off in an array', '[1,2', ["t.json:1:5: expected ',' or ']', got the end of the file"]],
    ['cut off in a word', '[tr', ['t.json:1:4: expected a value, got the end of the file']],
    [
      'cut off in a string',
      '["tr',
      [`t.json:1:5: expected '"' at the end of a string, or more of it, got the end of the file`],
    ],
    ['cut off in a list', '{"d":[{"a":1},', ['t.json:1:15: expected a value, got the end of the file']],
    [
      'a line cut off',
      '{"a":1}\n{"a":\n{"a":3}\n',
      ['1:1 {"a":1}', 't.json:2:6: expected a value, got the end of the line'],
    ],
    [
      'two values on a line',
      '{"a":1}\n{"a":2} {"a":3}',
      ['1:1 {"a":1}', `t.json:2:9: expected the end of the line behind its value, got '{"a":3}'`],
    ],
    [
      'two documents on a line',
      '{"a":1} {"a":3}',
      [`t.json:1:9: expected the end of the file behind its document, got '{"a":3}'`],
    ],
    [
      'a document and more',
      '[\n1]\nx',
      ['2:1 1', "t.json:3:1: expected the end of the file behind its document, got 'x'"],
    ],
    [
      'an empty line between',
      '{"a":1}\n \n{"a":3}',
      ['1:1 {"a":1}', 't.json:2:1: expected a value, got an empty line'],
    ],
    [
      'two lists',
      '{"a":[[1]],"b":{"c":[{}]}}',
      ['1:7 a [1]', "t.json:1:22: expected one list of objects or arrays, got 'b.c' beside 'a'"],
    ],
    [
      'bytes that are no UTF-8',
      Buffer.from('[1,"\u20ac\u00e9"]', 'latin1'),
      ['t.json:1:5: expected UTF-8 text, got other bytes: is this a binary file or another encoding?'],
    ],
    [
      'a character cut off',
      Buffer.from('["\u20ac"]').subarray(0, 4),
      ['t.json:1:3: expected UTF-8 text, got other bytes: is this a binary file or another encoding?'],
    ],
    ['too deep', deep(33), ['t.json:1:33: expected arrays and objects nested at most 32 deep, got more']],
    ['one message shows little', `[${'x'.repeat(99)}]`, [`t.json:1:2: expected a value, got '${'x'.repeat(24)}'`]],
  ])('refuses %s', async (_, text, expected) => {
    expect(await reported(text)).toEqual(expected)
  })
})

describe('large documents in JSON', () => {
  const text = 'x'.repeat(MAX_VALUE_BYTES / 2)
  const large = 'x'.repeat(MAX_VALUE_BYTES)
  const refusal = `expected values of at most ${MAX_VALUE_BYTES} bytes, got a larger one`

  it.each<[string, string, string[]]>([
    ['an array', `[["${text}"],["${text}"],["${text}"]]`, ['1:2', '1:524295', '1:1048588']],
    ['a list', `{"u":"v","w":{"d":[["${text}"],\n["${text}"],["${text}"]]}}`, ['1:20 w.d', '2:1 w.d', '2:524294 w.d']],
    ['a list between others', `{"u":["${text}"],"d":[[1]],"v":["${text}","${text}",{}]}`, ['1:524304 d']],
    ['lines', `["${text}"]\n["${text}"]\n["${text}"]\n`, ['1:1', '2:1', '3:1']],
    ['an element that is too large', `[["a"],["${large}"]]`, ['1:2', `t.json:1:8: ${refusal}`]],
    ['a first element that is too large', `[["${large}"]]`, [`t.json:1:2: ${refusal}`]],
    ['a line that is too large', `{"a":1}\n["${large}"]`, ['1:1', `t.json:2:1: ${refusal}`]],
    ['a line without end', `{"a":1}\n["${large}`, ['1:1', `t.json:2:1: ${refusal}`]],
    ['a member that is too large', `{"d":[[1]],"m":"${large}"}`, ['1:7 d', `t.json:1:16: ${refusal}`]],
    ['no list', `{"d":"${text}","e":"${text}"}`, ['t.json:1:1: expected a list of objects or arrays, got none']],
    ['an empty list', `{"d":"${text}","e":"${text}","f":[]}`, []],
    [
      'two lists',
      `{"d":[["${text}"],["${text}"]],"f":[[1]]}`,
      ['1:7 d', '1:524300 d', "t.json:1:1048599: expected one list of objects or arrays, got 'f' beside 'd'"],
    ],
  ])('%s', async (_, document, expected) => {
    for (const sizes of [[document.length], [262_144], [1000, 99_999]]) {
      const { elements, error } = await elementsOf(document, sizes)
      const places = elements.map(({ line, column, path }) => [`${line}:${column}`, path.join('.')].join(' ').trim())
      expect([...places, ...(error === undefined ? [] : [error])]).toEqual(expected)
    }
  })
})
