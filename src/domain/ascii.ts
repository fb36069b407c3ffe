/** Character codes for byte-level readers and writers. */
export const TAB = 0x09
export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const QUOTE = 0x22
export const COMMA = 0x2c
export const MINUS = 0x2d
export const POINT = 0x2e
export const DIGIT_0 = 0x30
export const DIGIT_1 = 0x31
export const DIGIT_9 = 0x39
export const COLON = 0x3a
