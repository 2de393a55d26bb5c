import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import javax.servlet.jsp.el.ELException;
import javax.servlet.jsp.el.ExpressionEvaluator;
import javax.servlet.jsp.el.FunctionMapper;
import javax.servlet.jsp.el.VariableResolver;
import org.apache.commons.el.ExpressionEvaluatorImpl;

/**
 * Evaluates templates with commons-el: one line of stdin each, and one line of stdout each, "v" or "e" and the value or problem
 * in hexadecimal UTF-8. The first argument is a properties file.
 */
public class Oracle {
    private static final Map<String, Method> FUNCTIONS = new HashMap<>();
    private static final Map<String, Object> VARIABLES = new HashMap<>();

    public static Object firstNotNull(Object first, Object second) {
        return first != null ? first : second;
    }

    public static String concat(String first, String second) {
        return text(first) + text(second);
    }

    public static String replaceAll(String source, String pattern, String replacement) {
        return text(source).replaceAll(text(pattern), text(replacement));
    }

    public static String trim(String source) {
        return text(source).trim();
    }

    public static String urlEncode(String source) throws Exception {
        return URLEncoder.encode(text(source), "UTF-8");
    }

    private static String text(String text) {
        return text == null ? "" : text;
    }

    public static void main(String[] arguments) throws Exception {
        for (Method method : Oracle.class.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && !method.getName().equals("main")) {
                FUNCTIONS.put(method.getName(), method);
            }
        }
        Properties properties = new Properties();
        try (Reader reader = new InputStreamReader(new FileInputStream(arguments[0]), StandardCharsets.UTF_8)) {
            properties.load(reader);
        }
        long unit = 1;
        for (String name : new String[] {"KB", "MB", "GB", "TB", "PB"}) {
            unit *= 1024;
            VARIABLES.put(name, unit);
        }
        for (String name : properties.stringPropertyNames()) {
            VARIABLES.put(name, properties.getProperty(name).trim());
        }
        VariableResolver variables = name -> {
            if (!VARIABLES.containsKey(name)) {
                throw new ELException("variable [" + name + "] cannot be resolved");
            }
            return VARIABLES.get(name);
        };
        FunctionMapper functions = (prefix, name) -> prefix == null || prefix.isEmpty() ? FUNCTIONS.get(name) : null;
        ExpressionEvaluator evaluator = new ExpressionEvaluatorImpl();
        InputStream input = new BufferedInputStream(System.in);
        PrintStream output = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = input.read(); next >= 0; next = input.read()) {
            if (next != '\n') {
                line.write(next);
                continue;
            }
            String template = line.toString("UTF-8");
            line.reset();
            try {
                output.println("v" + hexadecimal((String) evaluator.evaluate(template, String.class, variables, functions)));
            } catch (ELException | RuntimeException | StackOverflowError problem) {
                output.println("e" + hexadecimal(String.valueOf(problem)));
            }
        }
        output.flush();
    }

    private static String hexadecimal(String text) {
        StringBuilder digits = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            digits.append(String.format("%02x", each));
        }
        return digits.toString();
    }
}
