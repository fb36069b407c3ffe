/**
 * The data of the page, which stand in its document.
 */
import { unfolded } from '../../src/report/page/folded-data.ts'
import { byId } from './dom.ts'

/** @throws when the document has none */
export const given = (): unknown => unfolded(byId('data', HTMLScriptElement).text)
