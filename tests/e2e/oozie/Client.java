// Runs commands with Oozie's client in one process: a line of input is a command, its arguments with tabs between. Answers with a line of
// the exit code and, as hexadecimal digits of UTF-8, what was written to standard output and to standard error.

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.oozie.cli.OozieCLI;

public final class Client {
    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null;) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream errors = new ByteArrayOutputStream();
            System.setOut(new PrintStream(out, true, "UTF-8"));
            System.setErr(new PrintStream(errors, true, "UTF-8"));
            int exit = new OozieCLI().run(line.split("\t"));
            answers.println((exit & 255) + " x" + hexadecimal(out) + " x" + hexadecimal(errors));
            answers.flush();
        }
    }

    private static String hexadecimal(ByteArrayOutputStream bytes) {
        StringBuilder digits = new StringBuilder();
        for (byte b : bytes.toByteArray()) {
            digits.append(String.format("%02x", b));
        }
        return digits.toString();
    }
}
