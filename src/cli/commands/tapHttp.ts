export async function tapHttp(_r: unknown): Promise<void> {}
