/**
 * The data of the page, which stand in its document.
 */
import { unpacked } from '../../src/report/page/packed-json.ts'
import { byId } from './dom.ts'

/** @throws when the document has none */
export const given = (): unknown => unpacked(JSON.parse(byId('data', HTMLScriptElement).text))
