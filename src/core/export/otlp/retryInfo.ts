const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';

/**
 * The delay that a gRPC status with details asks for, ms: the `google.rpc.RetryInfo` in a `google.rpc.Status` (OTLP/gRPC,
 * "Throttling"). `undefined` when there is none, or the bytes cannot be read.
 */
export function retryDelayMs(status: Uint8Array): number | undefined {
  for (const [field, any] of fieldsOf(status)) {
    if (field === 3 && any instanceof Uint8Array) {
      const of = new Map(fieldsOf(any));
      const type = of.get(1);
      const value = of.get(2);
      if (type instanceof Uint8Array && value instanceof Uint8Array && new TextDecoder().decode(type) === RETRY_INFO) {
        const duration = new Map(fieldsOf(value)).get(1);
        const parts = duration instanceof Uint8Array ? new Map(fieldsOf(duration)) : new Map<number, never>();
        const seconds = Number(parts.get(1) ?? 0);
        const nanos = Number(parts.get(2) ?? 0);
        const ms = seconds * 1000 + nanos / 1e6;
        return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
      }
    }
  }
  return undefined;
}

/** The fields of a protobuf message: numbers of varints, bytes of what has a length; others are passed over. */
function fieldsOf(bytes: Uint8Array): readonly (readonly [number, number | Uint8Array])[] {
  const fields: (readonly [number, number | Uint8Array])[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined) {
        return Number.NaN;
      }
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        return value;
      }
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const tag = varint();
    const field = Math.floor(tag / 8);
    switch (tag % 8) {
      case 0:
        fields.push([field, varint()]);
        break;
      case 1:
        at += 8;
        break;
      case 2: {
        const length = varint();
        if (Number.isNaN(length)) {
          return fields;
        }
        fields.push([field, bytes.subarray(at, at + length)]);
        at += length;
        break;
      }
      case 5:
        at += 4;
        break;
      default:
        return fields;
    }
  }
  return fields;
}
